import { hasPermission, type MemberActor } from '#lib/core/actor.ts';
import { sha256 } from '#lib/core/crypto.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { formatUsd } from '#lib/core/money.ts';
import type { ReserveRefusal } from '#lib/ledger/reserve.ts';
import { generation as sentences } from '#lib/messages/studio.ts';
import { findProduct } from '#lib/products/registry.ts';
import { closeRow } from '../closing/close-generation.ts';
import type { StudioContext } from '../context.ts';
import { type Generation, generationColumns, readGeneration } from '../generation/generation.ts';
import type { Failed, Outcome } from '../generation/outcome.ts';
import type { Prepared } from '../kinds/kind.ts';
import { prepare } from '../kinds/prepare.ts';
import type { GenerationRequest } from '../request.ts';
import { withSpan } from '../telemetry.ts';
import { giveBirth, type NewGeneration, recordCancelled } from './create-generation.ts';
import { markSubmitted } from './mark-submitted.ts';

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
  ctx: StudioContext<MemberActor>,
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

async function submit(ctx: StudioContext<MemberActor>, input: SubmitInput): Promise<Submitted> {
  if (!hasPermission(ctx.actor, 'generate')) throw new ServiceError('forbidden');
  const idempotency = input.idempotencyKey
    ? { key: input.idempotencyKey, fingerprint: fingerprintOf(input) }
    : undefined;
  if (idempotency) {
    const replayed = await findReplay(ctx, idempotency);
    if (replayed) return replayed;
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
  const consentId = await prepared.recordConsent?.();
  const newborn: NewGeneration = {
    productId: product.id,
    kind: prepared.kind,
    assetType: prepared.assetType,
    params: prepared.params,
    references: prepared.references,
    provider: prepared.provider,
    modelId: prepared.modelId,
    heldMicros: prepared.estimateMicros,
    ...(idempotency ? { idempotency } : {}),
    ...(input.relaunchOfId ? { relaunchOfId: input.relaunchOfId } : {}),
    ...(request.ancestorId ? { ancestorId: request.ancestorId } : {}),
    ...(consentId ? { consentId } : {}),
  };
  try {
    const birth = await giveBirth(ctx, newborn);
    if (birth.born) return await work(ctx, birth.row, prepared);
    throw await refuse(ctx, newborn, birth.refusal);
  } catch (error) {
    // Two requests in flight under one key: the one that lost answers with the row of the other.
    if (!idempotency || !isDuplicate(error)) throw error;
    const replayed = await findReplay(ctx, idempotency);
    if (!replayed) throw error;
    return replayed;
  }
}

async function work(
  ctx: StudioContext<MemberActor>,
  row: Generation,
  prepared: Prepared,
): Promise<Submitted> {
  if ('run' in prepared) {
    const { row: closed } = await closeRow(ctx, row, await attempt(() => prepared.run(row)), 'request');
    return { row: closed, outcome: closed.state === 'FAILED' ? 'failed' : 'delivered' };
  }
  const started = await attempt(() => prepared.start(row));
  if (started.result === 'failed')
    return { row: (await closeRow(ctx, row, started, 'request')).row, outcome: 'failed' };
  const submitted = await markSubmitted(ctx, row, started.submission);
  return { row: submitted ?? row, outcome: 'running' };
}

/** Our own faults end the row too: refunded, with the technical detail on the row alone. */
async function attempt<T extends Outcome | { result: 'started' }>(
  run: () => Promise<T>,
): Promise<T | Failed> {
  try {
    return await run();
  } catch (error) {
    const detail = error instanceof Error ? `${error.name}: ${error.message}` : 'unknown';
    return { result: 'failed', code: 'internal-error', errorMessage: detail };
  }
}

async function refuse(
  ctx: StudioContext<MemberActor>,
  newborn: NewGeneration,
  refusal: ReserveRefusal,
): Promise<ServiceError> {
  const message = refusalSentence(refusal, newborn.heldMicros);
  const row = await recordCancelled(ctx, newborn, { code: refusal.code, message });
  return new ServiceError(refusal.code, { message, detail: refusal.detail, subject: row.id });
}

/** What the wallet's refusal says to a person. */
export function refusalSentence(refusal: ReserveRefusal, amountMicros: bigint): string {
  const amount = formatUsd(amountMicros);
  const fill = (text: string, values: Record<string, string>) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  if (refusal.code === 'balance')
    return fill(sentences.balance, { amount, available: formatUsd(refusal.availableMicros) });
  const cap = formatUsd(refusal.capMicros);
  return refusal.detail === 'monthly'
    ? fill(sentences.capMonthly, { amount, cap, used: formatUsd(refusal.usedMicros) })
    : fill(sentences.capPerGeneration, { amount, cap });
}

function fingerprintOf(input: SubmitInput): Uint8Array {
  return sha256(canonical({ request: input.request, relaunchOfId: input.relaunchOfId ?? null }));
}

/** The same meaning in another order of keys is the same request. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

async function findReplay(
  ctx: StudioContext<MemberActor>,
  idempotency: { key: string; fingerprint: Uint8Array },
): Promise<Submitted | null> {
  const [raw] = await ctx.sql.rows<Record<string, unknown>>(
    'studio.replay',
    `SELECT ${generationColumns('g')} FROM "Generation" g WHERE g."memberId" = $1 AND g."idempotencyKey" = $2`,
    [ctx.actor.memberId, idempotency.key],
  );
  if (!raw) return null;
  const row = readGeneration(raw);
  if (!row.idempotencyFingerprint?.equals(idempotency.fingerprint))
    throw new ServiceError('idempotency_conflict');
  return { row, outcome: 'replayed' };
}

function isDuplicate(error: unknown): boolean {
  const { code, constraint } = (error ?? {}) as { code?: unknown; constraint?: unknown };
  return code === '23505' && constraint === 'Generation_memberId_idempotencyKey_key';
}

/** A variant names a generation of the same account. */
async function checkAncestor(ctx: StudioContext<MemberActor>, ancestorId: string | undefined): Promise<void> {
  if (ancestorId === undefined) return;
  const [found] = await ctx.sql.rows(
    'studio.ancestor',
    'SELECT 1 FROM "Generation" WHERE "id" = $1 AND "accountId" = $2',
    [ancestorId, ctx.actor.accountId],
  );
  if (!found)
    throw new ServiceError('invalid', {
      detail: 'ancestorId',
      problems: [{ field: 'ancestorId', message: 'Cette génération n’existe pas dans le journal.' }],
    });
}
