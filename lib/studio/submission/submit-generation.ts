import type { AccountActor } from '#lib/core/actor.ts';
import { requireGenerate } from '#lib/storage/refusals.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import type { GenerationRequest } from '../request.ts';
import { withSpan } from '../telemetry.ts';
import { createGeneration } from './create-generation.ts';
import { findReplay, fingerprintOf, isKeyTaken } from './find-replay.ts';
import { planGeneration, spanFacts } from './plan-generation.ts';
import { refuseGeneration } from './refuse-generation.ts';
import { type RunResult, runGeneration } from './run-generation.ts';

type SubmitInput = {
  request: GenerationRequest;
  /** The caller's own key: the same request under it is answered with the row that it made. */
  idempotencyKey?: string | undefined;
  /** The row that this one starts again. */
  relaunchOfId?: string;
};

export type Submitted = RunResult | { row: Generation; outcome: 'replayed' };

/**
 * Asks for one generation: checks and prices it, holds its reserve with its row in one statement, calls the provider once, keeps
 * the file and settles; or leaves a job running. Refusals are thrown before any row, reserve or call, but for `balance` and
 * `cap`, whose row exists (`subject`). A failure of the provider is not thrown: the row records it, refunded.
 */
export async function submitGeneration(
  ctx: StudioContext<AccountActor>,
  input: SubmitInput,
): Promise<Submitted> {
  return withSpan(
    'studio.generation',
    spanFacts(ctx, input.request),
    () => submit(ctx, input),
    ({ row, outcome }) => ({
      'generation.id': row.id,
      outcome: outcome === 'failed' ? (row.code ?? 'failed') : outcome,
    }),
  );
}

async function submit(ctx: StudioContext<AccountActor>, input: SubmitInput): Promise<Submitted> {
  requireGenerate(ctx);
  const idempotency = input.idempotencyKey
    ? {
        key: input.idempotencyKey,
        fingerprint: fingerprintOf({ request: input.request, relaunchOfId: input.relaunchOfId ?? null }),
      }
    : undefined;
  if (idempotency) {
    const replayed = await findReplay(ctx, idempotency);
    if (replayed) return { row: replayed, outcome: 'replayed' };
  }
  const { wanted, prepared } = await planGeneration(ctx, { ...input, idempotency });
  try {
    const creation = await createGeneration(ctx, wanted);
    if (creation.created) return await runGeneration(ctx, creation.row, prepared);
    // A request sent twice can be refused because its first copy has just held the remaining credit.
    const held = idempotency && (await findReplay(ctx, idempotency));
    if (held) return { row: held, outcome: 'replayed' };
    throw await refuseGeneration(ctx, { wanted, refusal: creation.refusal });
  } catch (error) {
    // Two concurrent requests under one key: the loser answers with the winner's row.
    if (!idempotency || !isKeyTaken(error)) throw error;
    const replayed = await findReplay(ctx, idempotency);
    if (!replayed) throw error;
    return { row: replayed, outcome: 'replayed' };
  }
}
