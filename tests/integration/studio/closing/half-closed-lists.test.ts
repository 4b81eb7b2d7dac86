import { describe, expect, it } from 'vitest';
import { countGenerations, journalQuery, listGenerations } from '#lib/studio/journal/list-generations.ts';
import { listGenerationsById } from '#lib/studio/journal/list-generations-by-id.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { broken } from '#tests/factories/statements/broken-statements.ts';
import { IMAGE, request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

/** An image whose debit is written and whose row could not be. */
async function halfClosed() {
  const scene = await studioScene(service);
  const half = broken(service, scene, ['studio.close', 'studio.defer']);
  const { row } = await submitGeneration(half, { request: request(IMAGE) });
  expect((await service.db.generation.findUniqueOrThrow({ where: { id: row.id } })).state).toBe('STARTING');
  return { scene, id: row.id };
}

describe('a row that was debited and whose closing was lost is done in every list', () => {
  it.each([{}, { status: 'done' }] as const)(
    'in the journal, filtered by %o, with its file',
    async (filter) => {
      const { scene, id } = await halfClosed();
      expect(await countGenerations(scene.ctx, filter)).toBe(1);
      const { generations } = await listGenerations(scene.ctx, journalQuery.parse(filter));
      expect(generations).toMatchObject([{ id, status: 'done', charge: 'settled', files: [{}] }]);
      expect(await bookFaults(service)).toEqual([]);
    },
  );

  it('and not among those that run, before anybody has read it', async () => {
    const { scene } = await halfClosed();
    expect(await countGenerations(scene.ctx, { status: 'running' })).toBe(0);
    const { generations } = await listGenerations(scene.ctx, journalQuery.parse({ status: 'running' }));
    expect(generations).toEqual([]);
  });

  it('side by side with others', async () => {
    const { scene, id } = await halfClosed();
    const { row } = await submitGeneration(scene.ctx, { request: request(IMAGE) });
    const views = await listGenerationsById(scene.ctx, { generationIds: [id, row.id] });
    expect(views).toMatchObject([id, row.id].map((one) => ({ id: one, status: 'done', files: [{}] })));
  });
});
