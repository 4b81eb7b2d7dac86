import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { spaceJson } from '#lib/brain/export/json.ts';
import { readSpaceJson } from '#lib/brain/imports/parse/export-json.ts';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { updateMemory } from '#lib/brain/memories/update-memory.ts';
import { exportSpace } from '#lib/brain/spaces/export-space.ts';
import { createId } from '#lib/core/ids.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { receivedBytes } from '#tests/factories/watching/received-bytes.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 1 });
const MEMORIES = 300;
const BODY = 'é'.repeat(10_000);

const received = () => receivedBytes(service.connection.pool);

async function setting() {
  const { account, actor } = await makeAccount(service, { capacityCu: 100_000 });
  const space = await makeSpace(service, account.id);
  const start = Date.now() - MEMORIES;
  const ids = Array.from({ length: MEMORIES }, (_, n) => createId('memory', new Date(start + n)));
  await service.db.memory.createMany({
    data: ids.map((id, n) => ({
      id,
      accountId: account.id,
      spaceId: space.id,
      role: 'ITEMS' as const,
      kind: 'ITEM' as const,
      parentId: n === 0 ? null : (ids[0] ?? null),
      depth: n === 0 ? 0 : 1,
      title: `Titre ${n}`,
      body: BODY,
      source: 'MANUAL' as const,
      cu: 20,
      createdAt: new Date(start + n),
      updatedAt: new Date(start + n),
    })),
  });
  const cu = 20 * MEMORIES;
  await service.db.space.update({ where: { id: space.id }, data: { cu, memories: MEMORIES } });
  await service.db.account.update({ where: { id: account.id }, data: { usedCu: cu } });
  return { ctx: testContext(service, actor), space, ids };
}

it('a Space leaves without ever being read whole: a few texts are read as they are asked for', async () => {
  const { ctx, space } = await setting();
  const whole = MEMORIES * Buffer.byteLength(BODY);
  const before = await received();
  const pieces = spaceJson(await exportSpace(ctx, { spaceId: space.id }));
  expect((await received()) - before).toBeLessThan(whole / 20);
  await pieces.next();
  await pieces.next();
  expect((await received()) - before).toBeLessThan(whole / 3);
  await pieces.return(undefined);
});

it('a Space whose Memories are deleted while it leaves is as it was when that began, and can be imported', async () => {
  const { ctx, space, ids } = await setting();
  const pieces = spaceJson(await exportSpace(ctx, { spaceId: space.id }));
  const { value: first } = await pieces.next();
  await deleteMemory(ctx, { memoryId: ids[0] ?? '' });
  const read = readSpaceJson(`${first}${await text(pieces)}`);
  expect(read.ok && read.memories.map(({ id }) => id)).toEqual(ids);
});

it('a Memory that is written anew while its Space leaves goes out under the title of its own text', async () => {
  const { ctx, space, ids } = await setting();
  const pieces = spaceJson(await exportSpace(ctx, { spaceId: space.id }));
  const { value: first } = await pieces.next();
  const memoryId = ids.at(-1) ?? '';
  await updateMemory(ctx, {
    memoryId,
    expectedVersion: null,
    title: 'Tarifs 2027',
    body: 'La lampe : 90 €.',
  });
  const read = readSpaceJson(`${first}${await text(pieces)}`);
  const { title, updatedAt } = await service.db.memory.findUniqueOrThrow({ where: { id: memoryId } });
  expect(read.ok && read.memories.find(({ id }) => id === memoryId)).toMatchObject({
    title,
    updatedAt,
    body: 'La lampe : 90 €.',
  });
});

it.each<[string, { status: 'REMOVED' } | { role: 'MEMBER'; spaceRights: Record<string, string> }, string]>([
  ['were removed', { status: 'REMOVED' }, 'forbidden'],
  ['were given other Spaces', { role: 'MEMBER', spaceRights: { spc_other: 'read' } }, 'not_found'],
])('a Space that leaves ends at its next texts for who %s meanwhile', async (_, data, code) => {
  const { ctx, space } = await setting();
  const pieces = spaceJson(await exportSpace(ctx, { spaceId: space.id }));
  await pieces.next();
  await pieces.next();
  await service.db.member.update({ where: { id: ctx.actor.memberId }, data });
  await expect(text(pieces)).rejects.toMatchObject({ code });
});
