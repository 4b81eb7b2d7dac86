import { expect, test } from 'vitest';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { undoDelete } from '#lib/brain/memories/undo-delete.ts';
import { updateMemory } from '#lib/brain/memories/update-memory.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

async function setting(capacityCu: number) {
  const { account, actor } = await makeAccount(service, { capacityCu });
  const space = await makeSpace(service, account.id);
  const ctx = testContext(service, actor);
  const add = async (kib: number) => {
    const { memory } = await addMemory(ctx, {
      spaceId: space.id,
      pillar: 'KNOWLEDGE',
      parentId: null,
      title: 'T',
      body: textOf(kib),
      source: 'MANUAL',
      idempotencyKey: null,
    });
    return memory.id;
  };
  const edit = (memoryId: string, kib: number, letter = 'b') =>
    updateMemory(ctx, { memoryId, expectedVersion: null, title: 'T', body: textOf(kib, letter) });
  const allow = (cu: number) =>
    service.db.account.update({ where: { id: account.id }, data: { capacityCu: cu } });
  const used = async () => (await service.db.account.findUniqueOrThrow({ where: { id: account.id } })).usedCu;
  return { ctx, add, edit, allow, used };
}

/** A text that makes a Memory of so many CU with a title of one letter. */
const textOf = (kib: number, letter = 'a') => letter.repeat(kib * 1024 - 2);

test('an account that holds more than it may takes edits that do not grow, to the unit, and no other', async () => {
  const { add, edit, allow, used } = await setting(10);
  const memoryId = await add(4);
  await add(4);
  await allow(5);
  expect(await edit(memoryId, 4)).toMatchObject({ version: 2 });
  expect(await edit(memoryId, 3)).toMatchObject({ version: 3 });
  await expect(edit(memoryId, 4, 'c')).rejects.toMatchObject({ code: 'capacity_full' });
  expect(await used()).toBe(7);
});

test('what was deleted comes back into room of exactly its size, and not into one unit less', async () => {
  const { ctx, add, allow, used } = await setting(10);
  await add(2);
  const { deletionId } = await deleteMemory(ctx, { memoryId: await add(3) });
  await allow(4);
  await expect(undoDelete(ctx, { deletionId })).rejects.toMatchObject({ code: 'capacity_full' });
  expect(await used()).toBe(2);
  await allow(5);
  expect(await undoDelete(ctx, { deletionId })).toMatchObject({ restored: 1 });
  expect(await used()).toBe(5);
});
