import { expect, test } from 'vitest';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { listRevisions } from '#lib/brain/memories/history.ts';
import { moveMemory } from '#lib/brain/memories/move-memory.ts';
import type { PillarRole } from '#lib/brain/templates.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 8 });
const WRITTEN = new Date('2026-10-01T08:00:00Z');
const MOVED = new Date('2026-10-02T08:00:00Z');

async function setting() {
  const { account, actor } = await makeAccount(service);
  const space = await makeSpace(service, account.id);
  let now = WRITTEN;
  const ctx = testContext(service, actor, { clock: { now: () => now } });
  const add = async (pillar: PillarRole, title: string, parentId: string | null = null) => {
    const { memory } = await addMemory(ctx, {
      spaceId: space.id,
      pillar,
      title,
      body: 'Un texte.',
      parentId,
      source: 'MANUAL',
      idempotencyKey: null,
    });
    return memory.id;
  };
  const later = () => {
    now = MOVED;
  };
  const told = async (memoryId: string) => {
    const { updatedAt, version } = await service.db.memory.findUniqueOrThrow({ where: { id: memoryId } });
    const { revisions } = await listRevisions(ctx, { memoryId });
    return { updatedAt, version, changes: revisions.map(({ change }) => change) };
  };
  return { ctx, add, later, told };
}

const UNTOUCHED = { updatedAt: WRITTEN, version: 1, changes: ['CREATED'] };
const TOUCHED = { updatedAt: MOVED, version: 2, changes: ['MOVED', 'CREATED'] };

test('what only follows the Memory that it is nested in keeps its date, its version and its history', async () => {
  const { ctx, add, later, told } = await setting();
  const root = await add('ITEMS', 'Lampes');
  const child = await add('ITEMS', 'Applique', root);
  const shelf = await add('ITEMS', 'Catalogue');
  later();
  await moveMemory(ctx, { memoryId: root, pillar: 'ITEMS', parentId: shelf });
  expect([await told(root), await told(child), await told(shelf)]).toEqual([TOUCHED, UNTOUCHED, UNTOUCHED]);
});

test('a change of pillar is in the history of all that changed pillar', async () => {
  const { ctx, add, later, told } = await setting();
  const root = await add('ITEMS', 'Lampes');
  const child = await add('ITEMS', 'Applique', root);
  later();
  await moveMemory(ctx, { memoryId: root, pillar: 'KNOWLEDGE', parentId: null });
  expect([await told(root), await told(child)]).toEqual([TOUCHED, TOUCHED]);
});

test('what is nested in a Memory that is being moved deeper stands one level below where that one comes to stand', async () => {
  const { ctx, add, told } = await setting();
  const [shelf, root] = [await add('ITEMS', 'Catalogue'), await add('ITEMS', 'Lampes')];
  const move = () => moveMemory(ctx, { memoryId: root, pillar: 'ITEMS', parentId: shelf });
  const nest = () => add('ITEMS', 'Applique', root);
  expect(await oneBeforeAnother(service, move, nest)).toEqual(['done', 'done']);
  const rows = await service.db.memory.findMany({ where: { title: { in: ['Lampes', 'Applique'] } } });
  const nested = rows.find(({ parentId }) => parentId === root);
  expect([rows.find(({ id }) => id === root)?.depth, nested?.depth]).toEqual([1, 2]);
  expect((await told(nested?.id ?? '')).changes).toEqual(['CREATED']);
});
