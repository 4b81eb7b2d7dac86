import { expect, test } from 'vitest';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { listRevisions, restoreRevision } from '#lib/brain/memories/history.ts';
import { moveMemory } from '#lib/brain/memories/move-memory.ts';
import { saveMemory } from '#lib/brain/memories/save-memory.ts';
import { updateMemory } from '#lib/brain/memories/update-memory.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

test('a text sent again after its answer was lost is saved already: nobody else wrote, and nothing is written twice', async () => {
  const { account, actor } = await makeAccount(service, { capacityCu: 100 });
  const space = await makeSpace(service, account.id);
  const ctx = testContext(service, actor);
  const { memory } = await addMemory(ctx, {
    spaceId: space.id,
    pillar: 'KNOWLEDGE',
    parentId: null,
    title: 'Ton',
    body: 'Calme.',
    source: 'MANUAL',
    idempotencyKey: null,
  });
  const typed = { memoryId: memory.id, openedVersion: 1, title: 'Ton', body: 'Calme et précis.' };
  expect(await saveMemory(ctx, typed)).toMatchObject({ outcome: 'saved', version: 2 });
  expect(await saveMemory(ctx, typed)).toEqual({ outcome: 'saved', version: 2, similar: [] });
  // Another text is still compared with the one that stands.
  expect(await saveMemory(ctx, { ...typed, body: 'Drôle.' })).toEqual({
    outcome: 'conflict',
    version: 2,
    title: 'Ton',
    body: 'Calme et précis.',
  });
  expect(await service.db.memoryRevision.count({ where: { memoryId: memory.id } })).toBe(2);
});

test('a text over which its Memory was moved meanwhile is saved: only another text is a conflict', async () => {
  const { account, actor } = await makeAccount(service, { capacityCu: 100 });
  const space = await makeSpace(service, account.id);
  const ctx = testContext(service, actor);
  const { memory } = await addMemory(ctx, {
    spaceId: space.id,
    pillar: 'KNOWLEDGE',
    parentId: null,
    title: 'Ton',
    body: 'Calme.',
    source: 'MANUAL',
    idempotencyKey: null,
  });
  const memoryId = memory.id;
  await moveMemory(ctx, { memoryId, pillar: 'ITEMS', parentId: null });
  const typed = { memoryId, openedVersion: 1, title: 'Ton', body: 'Calme et précis.' };
  expect(await saveMemory(ctx, typed)).toMatchObject({ outcome: 'saved', version: 3 });
  expect(await service.db.memory.findUnique({ where: { id: memoryId } })).toMatchObject({
    role: 'ITEMS',
    body: 'Calme et précis.',
  });
});

test('a former version comes back as it was, its kind included; the history goes on below the version that a page ended with', async () => {
  const { account, actor } = await makeAccount(service, { capacityCu: 100 });
  const space = await makeSpace(service, account.id);
  const ctx = testContext(service, actor);
  const { memory } = await addMemory(ctx, {
    spaceId: space.id,
    pillar: 'KNOWLEDGE',
    parentId: null,
    kind: 'NOTE',
    title: 'Ton',
    body: 'Calme.',
    source: 'MANUAL',
    idempotencyKey: null,
  });
  const memoryId = memory.id;
  const text = { title: 'Voix', body: 'Drôle.', kind: 'FACT' } as const;
  await updateMemory(ctx, { memoryId, expectedVersion: 1, ...text });
  expect(await service.db.memory.findUnique({ where: { id: memoryId } })).toMatchObject(text);
  await restoreRevision(ctx, { memoryId, version: 1, expectedVersion: 2 });
  const before = { title: 'Ton', body: 'Calme.', kind: 'NOTE', version: 3 };
  expect(await service.db.memory.findUnique({ where: { id: memoryId } })).toMatchObject(before);
  const versions = async (before?: number) =>
    (await listRevisions(ctx, { memoryId, ...(before ? { before } : {}) })).revisions.map(
      ({ version }) => version,
    );
  expect([await versions(), await versions(2)]).toEqual([[3, 2, 1], [1]]);
});
