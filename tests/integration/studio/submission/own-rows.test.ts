import { describe, expect, it } from 'vitest';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { submitVariants } from '#lib/studio/submission/submit-variants.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { broken } from '#tests/factories/statements/broken-statements.ts';
import { IMAGE, request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const asked = request(IMAGE);

describe('a request', () => {
  it('under the key that somebody of another account used has a row of its own', async () => {
    const [one, other] = [await studioScene(service), await studioScene(service)];
    for (const { ctx, owner } of [one, other])
      expect(await submitGeneration(ctx, { request: asked, idempotencyKey: 'mine' })).toMatchObject({
        outcome: 'delivered',
        row: owner,
      });
  });

  it('is made from a generation of its account, which its row names; that of another answers as one that is not', async () => {
    const { ctx } = await studioScene(service);
    const { row: theirs } = await submitGeneration((await studioScene(service)).ctx, { request: asked });
    const { row: own } = await submitGeneration(ctx, { request: asked });
    const from = (ancestorId: string) =>
      submitGeneration(ctx, { request: request({ ...IMAGE, ancestorId }) });
    await expect(from(theirs.id)).rejects.toMatchObject({
      code: 'invalid',
      options: { detail: 'ancestorId', problems: [{ field: 'ancestorId' }] },
    });
    expect((await from(own.id)).row.ancestorId).toBe(own.id);
  });

  it('whose file the store refuses once is delivered: it is put again', async () => {
    const scene = await studioScene(service);
    const { store } = scene;
    let puts = 0;
    const put: typeof store.put = (...file) => {
      puts += 1;
      return puts === 1 ? Promise.reject(new Error('store')) : store.put(...file);
    };
    const { outcome } = await submitGeneration(scene.with({ store: { ...store, put } }), { request: asked });
    expect([outcome, puts]).toEqual(['delivered', 2]);
  });

  it('whose job was started and not recorded at the first try is recorded at the second, and nobody is told otherwise', async () => {
    const scene = await studioScene(service);
    const ctx = broken(service, scene, ['studio.submitted'], { once: true });
    const { row } = await submitGeneration(ctx, {
      request: request({ kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 }),
    });
    expect(row).toMatchObject({ state: 'SUBMITTED', providerJobId: expect.any(String) });
    expect(await service.db.auditEntry.count({ where: { subjectId: row.id } })).toBe(0);
  });

  it('for several whose closing cannot be written is answered with their rows: the sweep closes each', async () => {
    const scene = await studioScene(service);
    const cut = broken(service, scene, ['studio.close', 'studio.defer', 'ledger.close']);
    const { rows } = await submitVariants(cut, { request: asked, variants: 2, idempotencyKey: 'two' });
    expect(rows.map(({ state }) => state)).toEqual(['STARTING', 'STARTING']);
    scene.clock.advance(15 * 60_000);
    await sweepGenerations({ ...scene.ctx, actor: { type: 'system', job: 'generations-sweep' } });
    for (const { id } of rows)
      expect(await getGeneration(scene.ctx, { generationId: id })).toMatchObject({
        status: 'done',
        charge: 'settled',
      });
    expect(await bookFaults(service)).toEqual([]);
  });
});
