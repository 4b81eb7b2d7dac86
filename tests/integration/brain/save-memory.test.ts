import { expect, test } from 'vitest';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { saveMemory } from '#lib/brain/memories/save-memory.ts';
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
