import { expect, test } from 'vitest';
import { eraseExpired } from '#lib/brain/bin/erase.ts';
import { listBin } from '#lib/brain/bin/list-bin.ts';
import { restoreAll } from '#lib/brain/bin/restore-all.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { undoDelete } from '#lib/brain/memories/undo-delete.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { claimedMeanwhile } from '#tests/factories/statements/claimed-meanwhile.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 8 });

async function setting() {
  const { account, actor } = await makeAccount(service);
  const space = await makeSpace(service, account.id);
  const ctx = testContext(service, actor);
  const add = (title: string, key: string | null = null) =>
    addMemory(ctx, {
      spaceId: space.id,
      pillar: 'KNOWLEDGE',
      title,
      body: 'Un texte.',
      parentId: null,
      source: 'MCP',
      idempotencyKey: key,
      keyIsContent: key !== null,
    });
  const remove = async (title: string, key: string | null = null) => {
    const { memory } = await add(title, key);
    return { id: memory.id, ...(await deleteMemory(ctx, { memoryId: memory.id })) };
  };
  return { account, actor, space, ctx, add, remove };
}

test('what comes back as an import gives its key to another Memory comes back without that key', async () => {
  const { ctx, add, remove } = await setting();
  const importKey = 'path:notes/ton.md';
  const { id, deletionId } = await remove('Ton');
  await service.db.memory.update({ where: { id }, data: { importKey } });
  const { memory } = await add('Ton, importé de nouveau');
  const claim = {
    text: 'UPDATE "Memory" SET "importKey" = $1 WHERE id = $2',
    values: [importKey, memory.id],
  };
  const { came, waited } = await claimedMeanwhile(service, claim, () => undoDelete(ctx, { deletionId }));
  expect([came, waited]).toEqual([{ memoryId: id, restored: 1, atRoot: false }, true]);
  const keyOf = async (one: string) =>
    (await service.db.memory.findUniqueOrThrow({ where: { id: one } })).importKey;
  expect([await keyOf(id), await keyOf(memory.id)]).toEqual([null, importKey]);
});

test('what comes back as the same text is added again keeps the key of its content: there is one Memory', async () => {
  const { space, ctx, add, remove } = await setting();
  const key = 'mcp-content';
  const { id, deletionId } = await remove('Ton', key);
  const back = () => undoDelete(ctx, { deletionId });
  const again = async () => expect(await add('Ton', key)).toMatchObject({ memory: { id }, replayed: true });
  expect(await oneBeforeAnother(service, back, again)).toEqual(['done', 'done']);
  const live = await service.db.memory.findMany({ where: { spaceId: space.id, deletedAt: null } });
  expect(live.map((one) => [one.id, one.idempotencyKey])).toEqual([[id, key]]);
});

test('what was deleted comes back until the very end of its 30 days, and not a millisecond after', async () => {
  const { actor, remove } = await setting();
  const [one, other] = [await remove('Une'), await remove('Autre')];
  const back = async ({ id, deletionId }: typeof one, lateMs: number) => {
    const { deletedAt } = await service.db.memory.findUniqueOrThrow({ where: { id } });
    const now = new Date((deletedAt?.getTime() ?? 0) + 30 * 86_400_000 + lateMs);
    return undoDelete(testContext(service, actor, { clock: { now: () => now } }), { deletionId });
  };
  await expect(back(one, 1)).rejects.toMatchObject({ code: 'not_found' });
  expect(await back(other, 0)).toMatchObject({ restored: 1 });
});

test('what brings all back begins no deletion after 25 seconds, and says how many it left', async () => {
  const { actor, ctx, remove } = await setting();
  for (const title of ['Une', 'Deux', 'Trois']) await remove(title);
  let now = Date.now();
  const kysely = interceptedQueries(service.connection.pool, {
    after({ label }) {
      if (label === 'restore-memories') now += 13_000;
    },
  });
  const clock = { now: () => new Date(now) };
  const slow = { ...testContext(service, actor, { clock }), kysely };
  expect(await restoreAll(slow)).toEqual({ restored: 2, left: 1, capacityFull: false });
  expect((await listBin(ctx)).deletions.map(({ title }) => title)).toEqual(['Une']);
});

test('a night that cannot erase what one account deleted erases the others’, and fails', async () => {
  const settings = [await setting(), await setting(), await setting()];
  const gone = await Promise.all(settings.map(({ remove }) => remove('Secret')));
  const accounts = settings.map(({ account }) => account.id).sort();
  const failing = settings.findIndex(({ account }) => account.id === accounts[0]);
  const kysely = interceptedQueries(service.connection.pool, {
    before({ label, parameters }) {
      if (label === 'bin.erase-memories' && JSON.stringify(parameters).includes(gone[failing]?.id ?? '?'))
        throw new Error('this one cannot be erased');
    },
  });
  const later = new Date(Date.now() + 31 * 86_400_000);
  const night = testContext(service, { type: 'system', job: 'retention' } as const, {
    clock: { now: () => later },
  });
  const erasing = eraseExpired({ ...night, kysely }, undefined, { batch: 1 });
  await expect(erasing).rejects.toThrow('this one cannot be erased');
  const left = await service.db.memory.findMany({ where: { accountId: { in: accounts }, title: 'Secret' } });
  expect(left.map(({ id }) => id)).toEqual([gone[failing]?.id]);
});
