import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MICROS_PER_USD } from '#lib/core/money.ts';
import { readWallet } from '#lib/ledger/read-wallet.ts';
import { decideCost } from '#lib/studio/closing/decide-cost.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { IMAGE, request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

it('a figure that cannot be true debits the reserve, and the operator is told: 30,000 $ for an image of 0.03 $', async () => {
  const scene = await studioScene(service);
  const { image } = scene.ctx.studio.providers;
  const generous: typeof image = {
    generate: async (...asked) => {
      const answer = await image.generate(...asked);
      return answer.outcome === 'success' ? { ...answer, costMicros: 30_000n * MICROS_PER_USD } : answer;
    },
  };
  const ctx = scene.with({ providers: { ...scene.ctx.studio.providers, image: generous } });
  const { row, outcome } = await submitGeneration(ctx, { request: request(IMAGE) });
  expect(outcome).toBe('delivered');
  const view = await getGeneration(scene.ctx, { generationId: row.id });
  expect(view).toMatchObject({ status: 'done', costUsd: view.heldUsd, params: { costSource: 'reserve' } });
  const wallet = await readWallet(scene.ctx, { memberId: scene.owner.memberId });
  expect(wallet.balanceMicros).toBe(100_000_000n - row.heldMicros);
  const divergence = await service.db.auditEntry.findFirstOrThrow({
    where: { subjectId: row.id, action: 'generation.cost_divergence' },
  });
  expect(divergence.data).toMatchObject({ gatewayCostUsd: 30_000, debitedUsd: view.heldUsd });
  expect(scene.lines).toContainEqual(
    expect.objectContaining({ level: 'error', event: 'generation.cost_implausible', generationId: row.id }),
  );
  expect(await bookFaults(service)).toEqual([]);
});

it('no gateway makes a member pay more than twenty times the formula or the reserve, nor more than 50 $ that the formula does not explain', () => {
  const micros = fc.bigInt({ min: 0n, max: 10n ** 12n });
  fc.assert(
    fc.property(micros, micros, micros, (formulaMicros, gatewayMicros, heldMicros) => {
      const { costMicros, costSource } = decideCost({ formulaMicros, gatewayMicros }, heldMicros);
      const reference = formulaMicros > heldMicros ? formulaMicros : heldMicros;
      if (costMicros !== heldMicros) expect(costMicros).toBeLessThanOrEqual(20n * reference);
      if (costSource === 'gateway' && costMicros > 50n * MICROS_PER_USD)
        expect(costMicros * 100n).toBeLessThanOrEqual(reference * 120n);
    }),
  );
});
