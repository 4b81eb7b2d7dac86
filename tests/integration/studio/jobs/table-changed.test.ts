import { expect, it } from 'vitest';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const VIDEO = { kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 };

it.each([
  ['case', `'{"case":"retired"}'`],
  ['resolution', `jsonb_build_object('settings', "params" -> 'settings' || '{"resolution":"240p"}')`],
])(
  'a video whose %s left the table of models while it ran is delivered: what the gateway says is debited, else what was held',
  async (_, changed) => {
    for (const isTold of [true, false]) {
      const scene = await studioScene(service);
      const { row } = await submitGeneration(scene.ctx, { request: request(VIDEO) });
      await service.pool.query(
        `UPDATE "Generation" SET "params" = "params" || ${changed}::jsonb WHERE "id" = $1`,
        [row.id],
      );
      scene.clock.advance(60_000);
      const { providers } = scene.ctx.studio;
      const status: typeof providers.video.status = async (...asked) => {
        const answer = await providers.video.status(...asked);
        if (answer.outcome !== 'completed') return answer;
        const { costMicros: _, gatewayGenerationId: __, ...untold } = answer;
        return isTold ? { ...untold, costMicros: 390_000n } : untold;
      };
      const ctx = scene.with({ providers: { ...providers, video: { ...providers.video, status } } });
      await service.pool.query('UPDATE "Generation" SET "gatewayGenerationId" = NULL WHERE "id" = $1', [
        row.id,
      ]);
      const view = await getGeneration(ctx, { generationId: row.id });
      expect(view).toMatchObject({ status: 'done', costUsd: isTold ? 0.39 : view.heldUsd });
      expect(view.files).toHaveLength(1);
    }
    expect(await bookFaults(service)).toEqual([]);
  },
);

/** A video that runs, whose row records another price: it was asked before the table of models said what it says now. */
async function askedBefore(caseId: string, priceOf: (pricing: Record<string, unknown>) => object) {
  const scene = await studioScene(service, { scenario: 'no-cost' });
  const { row } = await submitGeneration(scene.ctx, { request: request({ ...VIDEO, case: caseId }) });
  const heldMicros = row.heldMicros / 4n;
  await service.pool.query(
    `UPDATE "Generation" SET "params" = "params" || $2::jsonb, "heldMicros" = $3 WHERE "id" = $1`,
    [row.id, JSON.stringify({ pricing: priceOf(row.params.pricing ?? {}) }), heldMicros],
  );
  scene.clock.advance(60_000);
  return { view: await getGeneration(scene.ctx, { generationId: row.id }), heldMicros };
}

it.each([
  ['veo', 'perSecondMicros'],
  ['seedance-2', 'perMillionTokensMicros'],
])(
  'a video (%s) whose rate changed while it ran is debited by that of its request: what was held, not what the table says by now',
  async (caseId, rate) => {
    const { view, heldMicros } = await askedBefore(caseId, (pricing) => ({
      ...pricing,
      [rate]: String(Number(pricing[rate]) / 4),
    }));
    expect(view).toMatchObject({ status: 'done', costUsd: Number(heldMicros) / 1e6 });
  },
);

it('a video whose basis of price changed while it ran is debited what was held', async () => {
  const { view, heldMicros } = await askedBefore('veo', () => ({ basis: 'source-clip', sourceMs: 4_000 }));
  expect(view).toMatchObject({ status: 'done', costUsd: Number(heldMicros) / 1e6 });
});
