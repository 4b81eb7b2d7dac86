import type { AccountActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { faultFields } from '#lib/core/faults.ts';
import { requireGenerate } from '#lib/storage/refusals.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import type { Prepared } from '../kinds/kind.ts';
import type { GenerationRequest } from '../request.ts';
import { withSpan } from '../telemetry.ts';
import { createVariants } from './create-generation.ts';
import { fingerprintOf, isKeyTaken } from './find-replay.ts';
import { findVariants, variantKey } from './find-variants.ts';
import { planGeneration, spanFacts } from './plan-generation.ts';
import { refuseGeneration } from './refuse-generation.ts';
import { refuseIdenticalVariants } from './refuse-identical-variants.ts';
import { runGeneration } from './run-generation.ts';

type SubmittedVariants = { rows: Generation[]; isReplayed: boolean };

type Input = { request: GenerationRequest; variants: number; idempotencyKey: string };

/**
 * Asks for the same generation several times at once: checked, read and priced once, then each with a row, a reserve, a call and a
 * settlement of its own. All amounts are held together or none is: when the ledger refuses the sum, one cancelled row says so
 * (`subject`) and nobody is called. Each row has a key derived from the request's, so that the request sent again finds the rows that
 * it made. Errors: those of `submitGeneration`, and `invalid` for what would come out the same each time.
 */
export async function submitVariants(
  ctx: StudioContext<AccountActor>,
  input: Input,
): Promise<SubmittedVariants> {
  // Each row has its own span; a request that made none is traced here.
  const facts = spanFacts(ctx, input.request);
  const submitted = await submit(ctx, input).catch((error: unknown) =>
    withSpan('studio.generation', facts, () => Promise.reject<SubmittedVariants>(error)),
  );
  if (!submitted.isReplayed) return submitted;
  const replay = () => Promise.resolve(submitted);
  return withSpan('studio.generation', facts, replay, () => ({ outcome: 'replayed' }));
}

async function submit(ctx: StudioContext<AccountActor>, input: Input): Promise<SubmittedVariants> {
  requireGenerate(ctx);
  const { request, variants, idempotencyKey } = input;
  refuseIdenticalVariants(request, variants);
  const keys = Array.from({ length: variants }, (_, at) => ({
    key: variantKey(idempotencyKey, at + 1),
    fingerprint: fingerprintOf({ request, variants, variant: at + 1 }),
  }));
  const replayed = await findVariants(ctx, keys);
  if (replayed) return { rows: replayed, isReplayed: true };
  const { wanted, prepared } = await planGeneration(ctx, { request });
  const [first, ...others] = keys.map((idempotency) => ({ ...wanted, idempotency }));
  if (!first) throw new ServiceError('invalid');
  try {
    const creation = await createVariants(ctx, [first, ...others]);
    if (creation.created)
      return { rows: await runAll(ctx, request, creation.rows, prepared), isReplayed: false };
    // A request sent twice can be refused because its first copy has just held the remaining credit.
    const held = await findVariants(ctx, keys);
    if (held) return { rows: held, isReplayed: true };
    throw await refuseGeneration(ctx, { wanted: first, refusal: creation.refusal, variants });
  } catch (error) {
    // Two concurrent requests under one key: the loser answers with the winner's rows.
    const found = isKeyTaken(error) ? await findVariants(ctx, keys) : null;
    if (!found) throw error;
    return { rows: found, isReplayed: true };
  }
}

function runAll(
  ctx: StudioContext<AccountActor>,
  request: GenerationRequest,
  rows: readonly Generation[],
  prepared: Prepared,
): Promise<Generation[]> {
  return Promise.all(rows.map((row) => runVariant(ctx, request, row, prepared)));
}

/** One variant, whatever becomes of the others: a row whose closing could not be written stays open, and the sweep closes it. */
async function runVariant(
  ctx: StudioContext<AccountActor>,
  request: GenerationRequest,
  row: Generation,
  prepared: Prepared,
): Promise<Generation> {
  try {
    const ran = await withSpan(
      'studio.generation',
      spanFacts(ctx, request),
      () => runGeneration(ctx, row, prepared),
      (done) => ({
        'generation.id': done.row.id,
        outcome: done.outcome === 'failed' ? (done.row.code ?? 'failed') : done.outcome,
      }),
    );
    return ran.row;
  } catch (error) {
    ctx.log.error('generation.variant_left_open', { generationId: row.id, ...faultFields(error) });
    return row;
  }
}
