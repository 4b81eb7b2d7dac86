import { expect, it } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { settle } from '#lib/ledger/close-reserve.ts';
import { deleteGenerationFiles } from '#lib/storage/deletion/delete-generation-files.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { untilBlocked } from '#tests/factories/statements/until-blocked.ts';
import { IMAGE, request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 6 });

it('a request sent twice waits for the closing of the first, and neither waits for the other crosswise', async () => {
  const scene = await studioScene(service);
  const body = request(IMAGE);
  const looked = Promise.withResolvers<void>();
  const closing = Promise.withResolvers<void>();
  // Nobody had the key when the second one looked; its row is written while the first is being closed.
  const kysely = interceptedQueries(service.pool, {
    before: ({ label }) => {
      if (label !== 'studio.create') return;
      looked.resolve();
      return closing.promise;
    },
  });
  const second = submitGeneration({ ...scene.ctx, kysely }, { request: body, idempotencyKey: 'k' });
  await looked.promise;
  const closesSlowly = scene.with({
    settle: async (tx, ctx, input) => {
      closing.resolve();
      await untilBlocked(service);
      return settle(tx, ctx, input);
    },
  });
  const [made, replayed] = await Promise.all([
    submitGeneration(closesSlowly, { request: body, idempotencyKey: 'k' }),
    second,
  ]);
  expect([made.outcome, replayed.outcome, replayed.row.id]).toEqual(['delivered', 'replayed', made.row.id]);
  expect(await bookFaults(service)).toEqual([]);
});

it('a generation is closed while the endpoint that it is told to is deleted: it waits, and is debited as any other', async () => {
  const scene = await studioScene(service);
  const { accountId, memberId } = scene.owner;
  const at = scene.clock.now();
  const id = createId('webhookEndpoint', at);
  await service.db.webhookEndpoint.create({
    data: {
      id,
      accountId,
      createdById: memberId,
      secret: new Uint8Array(32),
      createdAt: at,
      updatedAt: at,
      url: 'https://a.boutique.fr/evenements',
      events: ['generation.closed'],
    },
  });
  const client = await service.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('DELETE FROM "WebhookEndpoint" WHERE id = $1', [id]);
    const closing = submitGeneration(scene.ctx, { request: request(IMAGE) });
    await untilBlocked(service);
    await client.query('COMMIT');
    const { outcome, row } = await closing;
    const { chargePending } = await service.db.generation.findUniqueOrThrow({ where: { id: row.id } });
    expect([outcome, chargePending]).toEqual(['delivered', false]);
  } finally {
    client.release();
  }
  expect(await bookFaults(service)).toEqual([]);
});

it('the files of a generation that is deleted in the moment in which they are delivered go to the bin with it', async () => {
  const scene = await studioScene(service);
  const { accountId } = scene.owner;
  let deleting: Promise<unknown> = Promise.resolve();
  const closesSlowly = scene.with({
    settle: async (tx, ctx, input) => {
      deleting = deleteGenerationFiles(scene.ctx, { generationId: input.generationId });
      await Promise.race([deleting, untilBlocked(service)]);
      return settle(tx, ctx, input);
    },
  });
  const { outcome, row } = await submitGeneration(closesSlowly, { request: request(IMAGE) });
  expect(outcome).toBe('delivered');
  const deleted = await deleting;
  const files = await service.db.asset.findMany({ where: { accountId, generationId: row.id } });
  expect(deleted).toEqual({ generationId: row.id, pathnames: files.map(({ pathname }) => pathname) });
  expect(files.map(({ binnedBy }) => binnedBy)).toEqual([scene.owner.memberId]);
  const cleared = await service.db.generation.findUniqueOrThrow({ where: { id: row.id } });
  expect(cleared).toMatchObject({ filesDeletedBy: 'member', chargePending: false });
  expect(await bookFaults(service)).toEqual([]);
});
