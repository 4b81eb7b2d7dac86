import { trace } from '@opentelemetry/api';
import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import { createId } from '#lib/core/ids.ts';
import type { Micros } from '#lib/core/money.ts';
import type { AssetType, ClosedBy, GenerationKind, GenerationState } from '#lib/db/generated/tables.ts';
import { type Params as Parameters, prepared } from '#lib/db/prepared.ts';
import { selectedRow } from '#lib/db/values.ts';
import type { ReserveRefusal } from '#lib/ledger/judge-reserve.ts';
import { explainRefusal, type ReserveValues, reserveValues, withReserve } from '#lib/ledger/reserve.ts';
import type { StudioContext } from '../context.ts';
import { GENERATION_COLUMNS, type Generation, readGeneration } from '../generation/generation.ts';
import type { Params, References } from '../generation/params.ts';
import { foldForSearch } from '../generation/search-text.ts';
import { isProviderJob } from '../generation/states.ts';
import { type NewConsent, withConsent } from '../kinds/consent.ts';
import { RENDER_DEADLINE_MS, SETTLE_AFTER_MS, VIDEO_DEADLINE_MS } from '../limits.ts';
import { consumeContextRead } from './consume-context-read.ts';

/** What a request became once it was checked and priced. */
export type NewGeneration = {
  productId: string;
  kind: GenerationKind;
  assetType: AssetType;
  params: Params;
  references: References;
  provider: string;
  modelId: string;
  heldMicros: Micros;
  idempotency?: { key: string; fingerprint: Uint8Array };
  relaunchOfId?: string;
  ancestorId?: string;
  /** Written with the row: a request that the ledger refuses leaves no consent. */
  consent?: NewConsent;
  /** Its prompt has a Space's context: a read of the Brain is consumed with the reserve, or neither is. */
  readsContext?: boolean;
};

type Creation = { created: true; row: Generation } | { created: false; refusal: ReserveRefusal };

type RowValues = {
  id: string;
  accountId: string;
  memberId: string;
  productId: string;
  kind: GenerationKind;
  assetType: AssetType;
  state: GenerationState;
  caseName: string | null;
  params: string;
  references: string;
  searchText: string;
  provider: string;
  modelId: string;
  heldMicros: Micros;
  code: string | null;
  message: string | null;
  idempotencyKey: string | null;
  idempotencyFingerprint: Buffer | null;
  now: Date;
  startedAt: Date | null;
  deadlineAt: Date;
  dueAt: Date;
  closedAt: Date | null;
  closedBy: ClosedBy | null;
  relaunchOfId: string | null;
  ancestorId: string | null;
  consentId: string | null;
  requestId: string;
  traceId: string | null;
};

// The row exists if and only if its reserve does: both are written by this one statement.
const insertReserved = prepared('studio.create', (db, p: Parameters<RowValues & ReserveValues>) => {
  const row = newRow(p);
  return withReserve(db, p)
    .with('created', (qb) =>
      qb
        .insertInto('Generation')
        .columns(row.columns)
        .expression((eb) => eb.selectFrom('reserve_line').select(row.selection))
        .returning(GENERATION_COLUMNS),
    )
    .selectFrom('created')
    .select(GENERATION_COLUMNS);
});

const insertCancelled = prepared('studio.cancelled', (db, p: Parameters<RowValues>) => {
  const row = newRow(p);
  return db
    .insertInto('Generation')
    .columns(row.columns)
    .expression((eb) => eb.selectFrom(sql`(select 1)`.as('one')).select(row.selection))
    .returning(GENERATION_COLUMNS);
});

function newRow(p: Parameters<RowValues>) {
  return selectedRow<'Generation'>({
    id: p.id,
    accountId: p.accountId,
    memberId: p.memberId,
    productId: p.productId,
    kind: p.kind,
    assetType: p.assetType,
    state: p.state,
    caseName: p.caseName,
    params: sql`${p.params}::jsonb`,
    references: sql`${p.references}::jsonb`,
    searchText: p.searchText,
    provider: p.provider,
    modelId: p.modelId,
    heldMicros: p.heldMicros,
    code: p.code,
    message: p.message,
    idempotencyKey: p.idempotencyKey,
    idempotencyFingerprint: p.idempotencyFingerprint,
    createdAt: p.now,
    startedAt: p.startedAt,
    deadlineAt: p.deadlineAt,
    dueAt: p.dueAt,
    closedAt: p.closedAt,
    closedBy: p.closedBy,
    updatedAt: p.now,
    relaunchOfId: p.relaunchOfId,
    ancestorId: p.ancestorId,
    consentId: p.consentId,
    requestId: p.requestId,
    traceId: p.traceId,
  });
}

type Refusal = { code: string; message: string };

function rowValues(
  ctx: StudioContext<AccountActor>,
  id: string,
  input: NewGeneration,
  refusal: Refusal | null,
): RowValues {
  const now = ctx.clock.now();
  const after = (ms: number) => new Date(now.getTime() + ms);
  const { kind, params } = input;
  const lifeMs = isProviderJob(kind)
    ? VIDEO_DEADLINE_MS
    : kind === 'RENDER'
      ? RENDER_DEADLINE_MS
      : SETTLE_AFTER_MS;
  return {
    id,
    accountId: ctx.actor.accountId,
    memberId: ctx.actor.memberId,
    productId: input.productId,
    kind,
    assetType: input.assetType,
    state: refusal ? 'CANCELLED' : 'STARTING',
    caseName: params.case ?? null,
    params: JSON.stringify(params),
    references: JSON.stringify(input.references),
    searchText: foldForSearch(params.brief ?? ''),
    provider: input.provider,
    modelId: input.modelId,
    heldMicros: refusal ? 0n : input.heldMicros,
    code: refusal?.code ?? null,
    message: refusal?.message ?? null,
    idempotencyKey: input.idempotency?.key ?? null,
    idempotencyFingerprint: input.idempotency ? Buffer.from(input.idempotency.fingerprint) : null,
    now,
    startedAt: refusal ? null : now,
    deadlineAt: after(lifeMs),
    dueAt: after(SETTLE_AFTER_MS),
    closedAt: refusal ? now : null,
    closedBy: refusal ? 'request' : null,
    relaunchOfId: input.relaunchOfId ?? null,
    ancestorId: input.ancestorId ?? null,
    consentId: refusal ? null : (input.consent?.id ?? null),
    requestId: ctx.requestId,
    traceId: trace.getActiveSpan()?.spanContext().traceId ?? null,
  };
}

/**
 * Holds the amount and writes the row, in one statement: neither exists without the other. When the ledger refuses,
 * nothing is held nor read and the reason is returned. Throws (unique index) when the idempotency key has served already,
 * `quota_exceeded` when the prompt took a context and no read of the Brain is left, and `invalid` when the document of its consent was
 * deleted since it was checked: nothing was written.
 */
export async function createGeneration(
  ctx: StudioContext<AccountActor>,
  input: NewGeneration,
): Promise<Creation> {
  const { accountId, memberId } = ctx.actor;
  const id = createId('generation', ctx.clock.now());
  const amount = { accountId, memberId, generationId: id, amountMicros: input.heldMicros };
  const values = { ...reserveValues(ctx, amount), ...rowValues(ctx, id, input, null) };
  const row =
    input.readsContext || input.consent
      ? await reserveWith(ctx, input, values)
      : await insertReserved.first(ctx.kysely, values);
  if (row) return { created: true, row: readGeneration(row) };
  return { created: false, refusal: await explainRefusal(ctx.kysely, ctx, amount) };
}

/**
 * The same for several rows of one request: all amounts are held and all rows written in one transaction, or nothing is. They share what
 * the request brings once: its consent, and the one read of its context.
 */
export async function createVariants(
  ctx: StudioContext<AccountActor>,
  variants: readonly [NewGeneration, ...NewGeneration[]],
): Promise<{ created: true; rows: Generation[] } | { created: false; refusal: ReserveRefusal }> {
  const { accountId, memberId } = ctx.actor;
  const [{ consent, readsContext, heldMicros }] = variants;
  try {
    const rows = await withConsent(ctx, consent, async (tx) => {
      const written: Generation[] = [];
      for (const variant of variants) {
        const id = createId('generation', ctx.clock.now());
        const amount = { accountId, memberId, generationId: id, amountMicros: variant.heldMicros };
        const row = await insertReserved.first(tx, {
          ...reserveValues(ctx, amount),
          ...rowValues(ctx, id, variant, null),
        });
        if (!row) throw new NotReserved();
        written.push(readGeneration(row));
      }
      if (readsContext) await consumeContextRead(tx, ctx);
      return written;
    });
    return { created: true, rows };
  } catch (error) {
    if (!(error instanceof NotReserved)) throw error;
    const amountMicros = heldMicros * BigInt(variants.length);
    const asked = { accountId, memberId, amountMicros, eachMicros: heldMicros };
    return { created: false, refusal: await explainRefusal(ctx.kysely, ctx, asked) };
  }
}

class NotReserved extends Error {}

/** The row with what goes with it, its consent and the read of its context: all of it, or nothing when the ledger refuses. */
async function reserveWith(
  ctx: StudioContext<AccountActor>,
  { consent, readsContext }: NewGeneration,
  values: RowValues & ReserveValues,
) {
  try {
    return await withConsent(ctx, consent, async (tx) => {
      const created = await insertReserved.first(tx, values);
      if (!created) throw new NotReserved();
      if (readsContext) await consumeContextRead(tx, ctx);
      return created;
    });
  } catch (error) {
    if (error instanceof NotReserved) return undefined;
    throw error;
  }
}

/** Keeps the trace of a request that the ledger refused: a row, no reserve, no call. */
export async function recordCancelled(
  ctx: StudioContext<AccountActor>,
  input: NewGeneration,
  refusal: Refusal,
): Promise<Generation> {
  const id = createId('generation', ctx.clock.now());
  // The key stays free: the same request may be sent again once there is credit.
  const { idempotency: _key, ...withoutKey } = input;
  const row = await insertCancelled.first(ctx.kysely, rowValues(ctx, id, withoutKey, refusal));
  if (!row) throw new Error('the row was not written');
  return readGeneration(row);
}
