import { trace } from '@opentelemetry/api';
import type { MemberActor } from '#lib/core/actor.ts';
import { foldAccents } from '#lib/core/fold.ts';
import { createId } from '#lib/core/ids.ts';
import type { Micros } from '#lib/core/money.ts';
import type { AssetType, GenerationKind } from '#lib/db/generated/prisma/client.ts';
import {
  explainRefusal,
  RESERVE_CTES,
  RESERVE_PARAMS,
  type ReserveRefusal,
  reserveParams,
} from '#lib/ledger/reserve.ts';
import type { StudioContext } from '../context.ts';
import { type Generation, generationColumns, readGeneration } from '../generation/generation.ts';
import type { Params, References } from '../generation/params.ts';
import { isProviderJob } from '../generation/states.ts';
import { RENDER_DEADLINE_MS, SETTLE_AFTER_MS, VIDEO_DEADLINE_MS } from '../limits.ts';

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
  consentId?: string;
};

export type Birth = { born: true; row: Generation } | { born: false; refusal: ReserveRefusal };

const COLUMNS = [
  ['id', 'text'],
  ['accountId', 'text'],
  ['memberId', 'text'],
  ['productId', 'text'],
  ['kind', '"GenerationKind"'],
  ['assetType', '"AssetType"'],
  ['state', '"GenerationState"'],
  ['caseName', 'text'],
  ['params', 'jsonb'],
  ['references', 'jsonb'],
  ['searchText', 'text'],
  ['provider', 'text'],
  ['modelId', 'text'],
  ['heldMicros', 'bigint'],
  ['code', 'text'],
  ['message', 'text'],
  ['idempotencyKey', 'text'],
  ['idempotencyFingerprint', 'bytea'],
  ['createdAt', 'timestamptz'],
  ['startedAt', 'timestamptz'],
  ['deadlineAt', 'timestamptz'],
  ['dueAt', 'timestamptz'],
  ['readableAt', 'timestamptz'],
  ['closedAt', 'timestamptz'],
  ['closedBy', '"ClosedBy"'],
  ['updatedAt', 'timestamptz'],
  ['relaunchOfId', 'text'],
  ['ancestorId', 'text'],
  ['consentId', 'text'],
  ['requestId', 'text'],
  ['traceId', 'text'],
] as const;

const names = COLUMNS.map(([name]) => `"${name}"`).join(', ');
const placeholders = (first: number) =>
  COLUMNS.map(([, type], index) => `$${first + index}::${type}`).join(', ');

// The row exists if and only if its reserve does: both are written by this one statement.
const BIRTH = `WITH ${RESERVE_CTES},
  born AS (
    INSERT INTO "Generation" AS g (${names})
    SELECT ${placeholders(RESERVE_PARAMS + 1)} FROM reserve_line
    RETURNING ${generationColumns('g')})
  SELECT * FROM born`;

const CANCELLED = `INSERT INTO "Generation" AS g (${names}) VALUES (${placeholders(1)}) RETURNING ${generationColumns('g')}`;

/** Letters without accents, for the journal's search; at most 500. */
export function foldForSearch(text: string): string {
  return foldAccents(text).slice(0, 500);
}

type RowState = { state: 'STARTING' } | { state: 'CANCELLED'; code: string; message: string };

function rowValues(
  ctx: StudioContext<MemberActor>,
  id: string,
  input: NewGeneration,
  status: RowState,
): unknown[] {
  const now = ctx.clock.now();
  const after = (ms: number) => new Date(now.getTime() + ms);
  const isJob = isProviderJob(input.kind);
  const cancelled = status.state === 'CANCELLED';
  const lifeMs = isJob ? VIDEO_DEADLINE_MS : input.kind === 'RENDER' ? RENDER_DEADLINE_MS : SETTLE_AFTER_MS;
  const values: Record<(typeof COLUMNS)[number][0], unknown> = {
    id,
    accountId: ctx.actor.accountId,
    memberId: ctx.actor.memberId,
    productId: input.productId,
    kind: input.kind,
    assetType: input.assetType,
    state: status.state,
    caseName: input.params.case ?? null,
    params: JSON.stringify(input.params),
    references: JSON.stringify(input.references),
    searchText: foldForSearch(input.params.brief ?? ''),
    provider: input.provider,
    modelId: input.modelId,
    heldMicros: cancelled ? 0n : input.heldMicros,
    code: cancelled ? status.code : null,
    message: cancelled ? status.message : null,
    idempotencyKey: input.idempotency?.key ?? null,
    idempotencyFingerprint: input.idempotency ? Buffer.from(input.idempotency.fingerprint) : null,
    createdAt: now,
    startedAt: cancelled ? null : now,
    deadlineAt: after(lifeMs),
    dueAt: after(SETTLE_AFTER_MS),
    readableAt: null,
    closedAt: cancelled ? now : null,
    closedBy: cancelled ? 'request' : null,
    updatedAt: now,
    relaunchOfId: input.relaunchOfId ?? null,
    ancestorId: input.ancestorId ?? null,
    consentId: input.consentId ?? null,
    requestId: ctx.requestId,
    traceId: trace.getActiveSpan()?.spanContext().traceId ?? null,
  };
  return COLUMNS.map(([name]) => values[name]);
}

/**
 * Holds the amount and writes the row, in one statement: neither exists without the other. When the ledger refuses,
 * nothing is held and the reason is returned. Throws (unique index) when the idempotency key has served already.
 */
export async function giveBirth(ctx: StudioContext<MemberActor>, input: NewGeneration): Promise<Birth> {
  const { accountId, memberId } = ctx.actor;
  const id = createId('generation', ctx.clock.now());
  const amount = { accountId, memberId, generationId: id, amountMicros: input.heldMicros };
  const [row] = await ctx.sql.rows<Record<string, unknown>>('studio.birth', BIRTH, [
    ...reserveParams(ctx, amount),
    ...rowValues(ctx, id, input, { state: 'STARTING' }),
  ]);
  if (row) return { born: true, row: readGeneration(row) };
  return { born: false, refusal: await explainRefusal(ctx.sql, ctx, amount) };
}

/** Keeps the trace of a request that the ledger refused: a row, no reserve, no call. */
export async function recordCancelled(
  ctx: StudioContext<MemberActor>,
  input: NewGeneration,
  refusal: { code: string; message: string },
): Promise<Generation> {
  const id = createId('generation', ctx.clock.now());
  // The key stays free: the same request may be sent again once there is credit.
  const { idempotency: _key, ...withoutKey } = input;
  const [row] = await ctx.sql.rows<Record<string, unknown>>(
    'studio.cancelled',
    CANCELLED,
    rowValues(ctx, id, withoutKey, { state: 'CANCELLED', ...refusal }),
  );
  return readGeneration(row as Record<string, unknown>);
}
