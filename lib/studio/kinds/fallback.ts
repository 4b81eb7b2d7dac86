import { sql } from 'kysely';
import { type Params as Parameters, prepared } from '#lib/db/prepared.ts';
import { DEFAULT_BUDGETS } from '#lib/providers/budgets.ts';
import { modelFor } from '#lib/providers/models/catalogue.ts';
import { estimateMicros, type PricingQuantities, pricingRecord } from '#lib/providers/models/pricing.ts';
import type { ImageRequest, ImageResult, ProviderFailure } from '#lib/providers/ports.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import type { Params } from '../generation/params.ts';

/** With less of the common budget left than this, a second model would be cut off. */
const MIN_LEFT_MS = 30_000;

/** The case whose model may stand in for another's, when it takes this request. */
export function fallbackOf(caseId: string, request: { references: number }): string | undefined {
  const { fallback } = modelFor(caseId);
  if (!fallback) return undefined;
  const most = modelFor(fallback.case).limits.references ?? 0;
  return request.references <= most ? fallback.case : undefined;
}

/** The amount to hold: the price of the dearer model. `expectedMicros` is the first model's price, where that is the cheaper. */
export function holdForBoth(
  caseId: string,
  fallback: string | undefined,
  quantities: PricingQuantities,
): { estimateMicros: bigint; expected: Pick<Params, 'expectedMicros'> } {
  const first = estimateMicros(caseId, quantities);
  const second = fallback === undefined ? 0n : estimateMicros(fallback, quantities);
  if (second <= first) return { estimateMicros: first, expected: {} };
  return { estimateMicros: second, expected: { expectedMicros: Number(first) } };
}

/**
 * Whether a failure proves that the model was not billed: too many requests, 503 with `Retry-After`, or a model that the service no longer
 * has. A request that may have started, a generation that the gateway names, or a paid answer proves nothing.
 */
export function isSurelyUnbilled({ reason, retrySafe, status, paid, ...charge }: ProviderFailure): boolean {
  if (paid || charge.gatewayGenerationId !== undefined || charge.costMicros !== undefined) return false;
  if (reason === 'rate-limited' || reason === 'provider-error')
    return retrySafe === 'surely-not-sent' && (status === 429 || status === 503);
  return reason === 'not-found' && retrySafe === 'refused' && status === 404;
}

/** What is left of the budget that both models share, in milliseconds; undefined when it is too little for a second. */
function budgetLeftMs({ elapsedMs }: ProviderFailure): number | undefined {
  const leftMs = DEFAULT_BUDGETS.image - elapsedMs;
  return leftMs < MIN_LEFT_MS ? undefined : leftMs;
}

type FallbackValues = { id: string; now: Date; modelId: string; facts: string };

const markRow = prepared('studio.fallback', (db, p: Parameters<FallbackValues>) =>
  db
    .updateTable('Generation')
    .set((eb) => ({
      modelId: p.modelId,
      updatedAt: p.now,
      params: sql`${eb.ref('params')} || ${p.facts}::jsonb`,
    }))
    .where('id', '=', p.id)
    .where('state', '=', 'STARTING')
    .returning('id'),
);

/** Records on the row which model is about to be asked, before the call. False when the row is no longer open: nothing may be asked then. */
async function markFallback(
  ctx: StudioContext,
  row: Generation,
  { modelId, facts }: { modelId: string; facts: Partial<Params> },
): Promise<boolean> {
  const marked = await markRow.first(ctx.kysely, {
    id: row.id,
    now: ctx.clock.now(),
    modelId,
    facts: JSON.stringify(facts),
  });
  return marked !== undefined;
}

type Asked = { asked: ImageRequest; fallback: string | undefined; quantities: PricingQuantities };
type Answer = {
  result: ImageResult | ProviderFailure;
  /** The case whose model answered: its price is the one that counts. */
  ranCase: string;
  facts: Partial<Params>;
};

/**
 * Asks a case's model once and, where its refusal proves that it took nothing, its fallback once: at most one of the two is ever
 * paid. The row says which one is asked before it is.
 */
export async function askModels(
  ctx: StudioContext,
  row: Generation,
  { asked, fallback, quantities }: Asked,
): Promise<Answer> {
  const options = { idempotencyKey: row.id, accountId: row.accountId };
  const { image } = ctx.studio.providers;
  const first = await image.generate(asked, options);
  const withoutFallback: Answer = { result: first, ranCase: asked.case, facts: {} };
  if (first.outcome === 'success' || fallback === undefined || !isSurelyUnbilled(first))
    return withoutFallback;
  const timeoutMs = budgetLeftMs(first);
  if (timeoutMs === undefined) return withoutFallback;
  const facts: Partial<Params> = {
    fallback: { insteadOf: modelFor(asked.case).modelId, reason: first.reason },
    expectedMicros: Number(estimateMicros(fallback, quantities)),
    pricing: pricingRecord(fallback, quantities),
  };
  const { modelId } = modelFor(fallback);
  if (!(await markFallback(ctx, row, { modelId, facts }))) return withoutFallback;
  const second = await image.generate({ ...asked, isFallback: true }, { ...options, timeoutMs });
  return { result: second, ranCase: fallback, facts };
}
