import { CompiledQuery, type DatabaseConnection } from 'kysely';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { createSpace } from '#lib/brain/spaces/create-space.ts';
import { modelFor } from '#lib/providers/models/catalogue.ts';
import { createGeneration } from '#lib/studio/submission/create-generation.ts';
import { planGeneration } from '#lib/studio/submission/plan-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { submitVariants } from '#lib/studio/submission/submit-variants.ts';
import type { AccountOptions } from '#tests/factories/account.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { IMAGE, request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 20 });

async function brandScene(options: AccountOptions & { creditMicros?: bigint } = {}) {
  const scene = await studioScene(service, options);
  const space = await createSpace(scene.ctx, {
    accountId: scene.owner.accountId,
    name: 'Maison Lumen',
    template: 'brand',
  });
  await addMemory(scene.ctx, {
    spaceId: space.id,
    pillar: 'IDENTITY',
    title: 'Ton',
    body: 'Une voix calme et précise.',
    parentId: null,
    source: 'MANUAL',
    idempotencyKey: null,
  });
  const reads = async () =>
    (await service.db.readMonth.findFirst({ where: { accountId: scene.owner.accountId } }))?.used ?? 0;
  const rows = () =>
    service.db.generation.count({ where: { memberId: scene.owner.memberId, state: { not: 'CANCELLED' } } });
  return { scene, space, reads, rows, body: request({ ...IMAGE, spaceId: space.id }) };
}

describe('a read of the Brain for a prompt', () => {
  it('is not spent by a request that the wallet refuses', async () => {
    const { scene, reads, body } = await brandScene({ creditMicros: 1n });
    await expect(submitGeneration(scene.ctx, { request: body })).rejects.toMatchObject({ code: 'balance' });
    expect(await reads()).toBe(0);
  });

  it.each(['image', 'video'])('is not even asked when a reference of the %s is refused', async (kind) => {
    const { scene, space } = await brandScene();
    const asked: string[] = [];
    const kysely = interceptedQueries(service.pool, { before: ({ label }) => asked.push(label) });
    const ref = { generationId: 'gen_00000000000000000000000000' };
    const references = kind === 'video' ? { case: 'veo', startImage: ref } : { references: [ref] };
    const body = request({ kind, brief: 'Une bougie', spaceId: space.id, ...references });
    await expect(submitGeneration({ ...scene.ctx, kysely }, { request: body })).rejects.toMatchObject({
      code: 'reference-refused',
    });
    expect(asked.filter((label) => !label.startsWith('studio.'))).toEqual([]);
  });

  it('is spent once by a request that is made, whose prompt has the context', async () => {
    const { scene, reads, body } = await brandScene();
    const { row } = await submitGeneration(scene.ctx, { request: body });
    expect(row.params.prompt).toContain('Une voix calme et précise.');
    expect(await reads()).toBe(1);
    const three = await submitVariants(scene.ctx, { request: body, variants: 3, idempotencyKey: 'three' });
    expect(three.rows.map(({ state }) => state)).toEqual(Array(3).fill('COMPLETED'));
    expect(await reads()).toBe(2);
  });

  it('is consumed beside a reserve that a crash does not lose, though a read alone may be lost', async () => {
    const { scene, body } = await brandScene();
    // As the owner, who does not come through the pooler of the deployment test: a pooler takes no settings for a connection.
    const pool = new pg.Pool({ connectionString: service.ownerUrl, options: '-c synchronous_commit=on' });
    const commits: unknown[] = [];
    let held: DatabaseConnection | undefined;
    const kysely = interceptedQueries(pool, {
      acquired(connection) {
        held = connection;
      },
      async before({ label }) {
        if (label !== 'commit') return;
        const shown = await held?.executeQuery(CompiledQuery.raw('show synchronous_commit'));
        commits.push(shown?.rows[0]);
      },
    });
    const { wanted } = await planGeneration(scene.ctx, { request: body });
    await createGeneration({ ...scene.ctx, kysely }, wanted);
    await pool.end();
    expect(commits).toEqual([{ synchronous_commit: 'on' }]);
  });

  it('fills six tenths of what the model reads at most, however much the Brain has to say', async () => {
    const { scene, space } = await brandScene();
    for (const title of ['Bougies', 'Parfums'])
      await addMemory(scene.ctx, {
        spaceId: space.id,
        pillar: 'IDENTITY',
        title,
        body: 'La cire est coulée à la main. '.repeat(60),
        parentId: null,
        source: 'MANUAL',
        idempotencyKey: null,
      });
    const most = modelFor('veo').limits.promptCharacters ?? 2_000;
    const { row } = await submitGeneration(scene.ctx, {
      request: request({ kind: 'video', case: 'veo', brief: 'Une bougie', spaceId: space.id }),
    });
    const { length } = row.params.prompt ?? '';
    expect(length).toBeGreaterThan(most * 0.4);
    expect(length).toBeLessThanOrEqual(most * 0.6 + 'Une bougie\n\nContexte de la marque :\n'.length);
  });

  it('is neither spent nor left out unsaid where the request leaves its context no room: it is refused, and nothing is held', async () => {
    const { scene, space, reads, rows } = await brandScene();
    const body = request({ ...IMAGE, brief: 'a'.repeat(7_900), spaceId: space.id });
    await expect(submitGeneration(scene.ctx, { request: body })).rejects.toMatchObject({
      code: 'invalid',
      options: { detail: 'spaceId' },
    });
    expect([await reads(), await rows()]).toEqual([0, 0]);
  });

  it('that is not left refuses the request before any row or reserve', async () => {
    const { scene, reads, rows, body } = await brandScene({ contractualReads: 1 });
    await submitGeneration(scene.ctx, { request: body });
    await expect(submitGeneration(scene.ctx, { request: body })).rejects.toMatchObject({
      code: 'quota_exceeded',
    });
    expect([await reads(), await rows()]).toEqual([1, 1]);
    expect(
      await service.db.ledgerLine.count({ where: { memberId: scene.owner.memberId, kind: 'RESERVE' } }),
    ).toBe(1);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('of which the account includes none refuses the request in words that say so', async () => {
    const { scene, reads, rows, body } = await brandScene({ contractualReads: 0 });
    await expect(submitGeneration(scene.ctx, { request: body })).rejects.toMatchObject({
      code: 'quota_exceeded',
      options: { detail: 'none-included' },
    });
    expect([await reads(), await rows()]).toEqual([0, 0]);
  });

  it('is spent once by twenty requests at once under one key, and by none that is replayed', async () => {
    const { scene, reads, rows, body } = await brandScene();
    const send = () => submitGeneration(scene.ctx, { request: body, idempotencyKey: 'k' });
    await Promise.all(Array.from({ length: 20 }, send));
    await send();
    expect([await reads(), await rows()]).toEqual([1, 1]);
  });

  it('of two that would take the last one, one is made', async () => {
    const { scene, reads, rows, body } = await brandScene({ contractualReads: 1 });
    const sent = await Promise.allSettled(
      Array.from({ length: 2 }, () => submitGeneration(scene.ctx, { request: body })),
    );
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect([await reads(), await rows()]).toEqual([1, 1]);
  });
});
