import { type AccountActor, hasPermission } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { type Params, prepared as statement } from '#lib/db/prepared.ts';
import type { ReserveRefusal } from '#lib/ledger/reserve.ts';
import { findProduct } from '#lib/products/registry.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import type { Failed, Outcome } from '../generation/outcome.ts';
import { stepFailed } from '../kinds/failures.ts';
import type { Prepared } from '../kinds/kind.ts';
import { advanceGeneration } from '../lifecycle/advance-generation.ts';
import type { GenerationRequest } from '../request.ts';
import { withSpan } from '../telemetry.ts';
import { createGeneration, type NewGeneration, recordCancelled } from './create-generation.ts';
import { findReplay, fingerprintOf, isKeyTaken } from './find-replay.ts';
import { markSubmitted } from './mark-submitted.ts';
import { prepare } from './prepare.ts';
import { refusalSentence } from './refusal-sentence.ts';

export type SubmitInput = {
  request: GenerationRequest;
  /** The caller's own key: the same request under it is answered with the row that it made. */
  idempotencyKey?: string | undefined;
  /** The row that this one starts again. */
  relaunchOfId?: string;
};

export type Submitted = { row: Generation; outcome: 'delivered' | 'running' | 'failed' | 'replayed' };

/**
 * Asks for one generation: checks and prices it, holds its reserve with its row in one statement, calls the provider once, keeps
 * the file and settles; or leaves a job running. Refusals are thrown before any row, reserve or call, but for `balance` and
 * `cap`, whose row exists (`subject`). What the provider did wrong is not thrown: the row tells it, refunded.
 */
export async function submitGeneration(
  ctx: StudioContext<AccountActor>,
  input: SubmitInput,
): Promise<Submitted> {
  const { request } = input;
  const facts = {
    'member.id': ctx.actor.memberId,
    'product.id': request.productId === 'libre' ? 'free' : request.productId,
    'generation.kind': request.kind,
  };
  return withSpan(
    'studio.generation',
    facts,
    () => submit(ctx, input),
    ({ row, outcome }) => ({
      'generation.id': row.id,
      outcome: outcome === 'failed' ? (row.code ?? 'failed') : outcome,
    }),
  );
}

async function submit(ctx: StudioContext<AccountActor>, input: SubmitInput): Promise<Submitted> {
  if (!hasPermission(ctx.actor, 'generate')) throw new ServiceError('forbidden');
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
  const { request } = input;
  const product = findProduct(ctx.actor.accountId, request.productId);
  if (!product)
    throw new ServiceError('invalid', {
      detail: 'productId',
      problems: [{ field: 'productId', message: 'Ce produit n’existe pas dans ce compte.' }],
    });
  if (!ctx.studio.store)
    throw new ServiceError('not_configured', {
      message: 'Le magasin de fichiers n’est pas configuré\u00a0: rien n’a été débité.',
    });
  await checkAncestor(ctx, request.ancestorId);
  const prepared = await prepare(ctx, request, product);
  const wanted: NewGeneration = {
    productId: product.id,
    kind: prepared.kind,
    assetType: prepared.assetType,
    params: prepared.params,
    references: prepared.references,
    provider: prepared.provider,
    modelId: prepared.modelId,
    heldMicros: prepared.estimateMicros,
    ...(prepared.readsContext ? { readsContext: true } : {}),
    ...(idempotency ? { idempotency } : {}),
    ...(input.relaunchOfId ? { relaunchOfId: input.relaunchOfId } : {}),
    ...(request.ancestorId ? { ancestorId: request.ancestorId } : {}),
    ...(prepared.consent ? { consent: prepared.consent } : {}),
  };
  try {
    const creation = await createGeneration(ctx, wanted);
    if (creation.created) return await work(ctx, creation.row, prepared);
    throw await refuse(ctx, wanted, creation.refusal);
  } catch (error) {
    // Two requests in flight under one key: the one that lost answers with the row of the other.
    if (!idempotency || !isKeyTaken(error)) throw error;
    const replayed = await findReplay(ctx, idempotency);
    if (!replayed) throw error;
    return { row: replayed, outcome: 'replayed' };
  }
}

async function work(
  ctx: StudioContext<AccountActor>,
  row: Generation,
  prepared: Prepared,
): Promise<Submitted> {
  if ('run' in prepared) {
    const closed = await end(ctx, row, await attempt(() => prepared.run(row)));
    return { row: closed, outcome: closed.state === 'FAILED' ? 'failed' : 'delivered' };
  }
  const started = await attempt(() => prepared.start(row));
  if (started.result === 'failed') return { row: await end(ctx, row, started), outcome: 'failed' };
  const submitted = await markSubmitted(ctx, row, started.submission);
  return { row: submitted ?? row, outcome: 'running' };
}

async function end(ctx: StudioContext, row: Generation, outcome: Outcome): Promise<Generation> {
  return (await advanceGeneration(ctx, row, { type: 'outcome', outcome }, 'request')).row;
}

/** Our own faults end the row too. */
async function attempt<T extends Outcome | { result: 'started' }>(
  run: () => Promise<T>,
): Promise<T | Failed> {
  try {
    return await run();
  } catch (error) {
    return stepFailed(error);
  }
}

async function refuse(
  ctx: StudioContext<AccountActor>,
  wanted: NewGeneration,
  refusal: ReserveRefusal,
): Promise<ServiceError> {
  const message = refusalSentence(refusal, wanted.heldMicros);
  const row = await recordCancelled(ctx, wanted, { code: refusal.code, message });
  return new ServiceError(refusal.code, { message, detail: refusal.detail, subject: row.id });
}

const findAncestor = statement('studio.ancestor', (db, p: Params<{ id: string; accountId: string }>) =>
  db.selectFrom('Generation').select('id').where('id', '=', p.id).where('accountId', '=', p.accountId),
);

/** A variant names a generation of the same account. */
async function checkAncestor(
  ctx: StudioContext<AccountActor>,
  ancestorId: string | undefined,
): Promise<void> {
  if (ancestorId === undefined) return;
  const { accountId } = ctx.actor;
  if (await findAncestor.first(ctx.kysely, { id: ancestorId, accountId })) return;
  throw new ServiceError('invalid', {
    detail: 'ancestorId',
    problems: [{ field: 'ancestorId', message: 'Cette génération n’existe pas dans le journal.' }],
  });
}
