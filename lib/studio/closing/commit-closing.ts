import { sql } from 'kysely';
import { type AuditEvent, auditRecords, recordAudits } from '#lib/core/audit.ts';
import type { Micros } from '#lib/core/money.ts';
import type { ClosedBy, GenerationState } from '#lib/db/generated/tables.ts';
import { inOpenState } from '#lib/db/open-states.ts';
import { type Params as Parameters, prepared } from '#lib/db/prepared.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import { type CloseResult, refund, type SpendCrossing, settle } from '#lib/ledger/close-reserve.ts';
import { lockBudget } from '#lib/ledger/reserve.ts';
import type { StudioContext } from '../context.ts';
import { readRow } from '../generation/find-generation.ts';
import { GENERATION_COLUMNS, type Generation, readGeneration } from '../generation/generation.ts';
import type { Artifact, Params } from '../generation/params.ts';
import { audit } from './audit-events.ts';
import { assetRecords, insertAssets, insertAudits } from './closing-statements.ts';

/** How a row ends, and what the ledger writes with it. */
export type Closing = {
  closedBy: ClosedBy;
  facts?: Partial<Params>;
  gatewayGenerationId?: string;
  audits: AuditEvent[];
  /** Closes only a row whose debit is pending, or only one whose debit is not; absent: either. */
  chargePending?: boolean;
} & (
  | {
      state: 'COMPLETED';
      costMicros: Micros;
      artifacts: Artifact[] | null;
      /** The ledger already has the debit, at this amount. Any other completion that finds a debit is rolled back. */
      isCharged?: boolean;
    }
  | { state: 'FAILED'; code: string; message: string; errorMessage: string | null }
);

export type CloseOutcome = {
  /** False: another closer had closed it; `row` is what was recorded. */
  won: boolean;
  row: Generation;
  alert: SpendCrossing | null;
};

/** The reserve of a row to be closed is already settled: the row must be completed at that amount, not refunded or settled again. */
export class AlreadySettled extends Error {
  readonly amountMicros: Micros;
  constructor(amountMicros: Micros) {
    super('the reserve is settled already');
    this.name = 'AlreadySettled';
    this.amountMicros = amountMicros;
  }
}

type CloseValues = {
  id: string;
  state: GenerationState;
  at: Date;
  closedBy: ClosedBy;
  /** JSON; null leaves those that the row has. */
  artifacts: string | null;
  costMicros: Micros | null;
  code: string | null;
  message: string | null;
  errorMessage: string | null;
  gatewayGenerationId: string | null;
  facts: string;
  assets: string;
  audits: string;
  chargePending: boolean | null;
};

// The row, its assets and its audit entries in one statement; all three hang on the conditional update. The account's budget is
// locked before the row, as a reserve does: a request under the same key holds the budget while it waits for this row.
const closeOpenRow = prepared('studio.close', (db, p: Parameters<CloseValues>) =>
  db
    .with('budget', (qb) =>
      lockBudget(qb, sql`(${qb.selectFrom('Generation').select('accountId').where('id', '=', p.id)})`),
    )
    .with('changed', (qb) =>
      qb
        .updateTable('Generation')
        .set((eb) => ({
          state: sql<GenerationState>`${p.state}::"GenerationState"`,
          closedAt: p.at,
          closedBy: sql<ClosedBy>`${p.closedBy}::"ClosedBy"`,
          updatedAt: p.at,
          artifacts: sql`coalesce(${p.artifacts}::jsonb, ${eb.ref('artifacts')})`,
          costMicros: p.costMicros,
          chargePending: false,
          code: p.code,
          message: p.message,
          errorMessage: p.errorMessage,
          providerWebhookSecret: null,
          gatewayGenerationId: eb.fn.coalesce(p.gatewayGenerationId, 'gatewayGenerationId'),
          params: sql`${eb.ref('params')} || ${p.facts}::jsonb`,
        }))
        // Always true: the count is there to take the lock before any row is read.
        .where(sql<boolean>`(select count(*) from "budget") >= 0`)
        .where('id', '=', p.id)
        .where(inOpenState('state'))
        .where((eb) =>
          eb.or([
            sql<boolean>`${p.chargePending}::boolean is null`,
            eb('chargePending', '=', sql<boolean>`${p.chargePending}`),
          ]),
        )
        .returning(GENERATION_COLUMNS),
    )
    .with('assets', (qb) => insertAssets(qb, p.assets, p.at))
    .with('audits', (qb) => insertAudits(qb, p.audits))
    .selectFrom('changed')
    .select(GENERATION_COLUMNS),
);

const clearCost = prepared('studio.clear_cost', (db, p: Parameters<{ id: string }>) =>
  db.updateTable('Generation').set({ costMicros: null }).where('id', '=', p.id),
);

/**
 * The transaction that ends a row at `at`: conditional update with assets and audit, then the ledger line. The loser of a race changes nothing
 * and reads what was recorded. Throws AlreadySettled, or the database's error; then nothing was written, unless only the commit's answer was
 * lost (read the row again).
 */
export async function commitClosing(
  ctx: StudioContext,
  generationId: string,
  closing: Closing,
  at: Date,
): Promise<CloseOutcome> {
  const done = closing.state === 'COMPLETED';
  const artifacts = done ? closing.artifacts : null;
  const closed = await transaction(ctx, async (tx) => {
    const changed = await closeOpenRow.first(tx, {
      id: generationId,
      state: closing.state,
      at,
      closedBy: closing.closedBy,
      artifacts: artifacts ? JSON.stringify(artifacts) : null,
      costMicros: done ? closing.costMicros : null,
      code: done ? null : closing.code,
      message: done ? null : closing.message,
      errorMessage: done ? null : (closing.errorMessage?.slice(0, 2000) ?? null),
      gatewayGenerationId: closing.gatewayGenerationId ?? null,
      facts: JSON.stringify(closing.facts ?? {}),
      assets: assetRecords(ctx, artifacts ?? []),
      audits: auditRecords(ctx, closing.audits),
      chargePending: closing.chargePending ?? null,
    });
    if (!changed) return null;
    const row = readGeneration(changed);
    if (!done) {
      const released = await refund(tx, ctx, { generationId });
      if (released.found === 'closed' && released.kind === 'SETTLE')
        throw new AlreadySettled(released.amountMicros);
      return { row, alert: null };
    }
    const debit = await settleReserve(tx, ctx, { generationId, costMicros: closing.costMicros });
    if (debit.found === 'open') return { row, alert: debit.alert };
    if (debit.found === 'missing') return { row: await recordMissing(tx, ctx, row), alert: null };
    if (debit.kind === 'REFUND') throw new Error('the reserve was refunded already');
    if (!closing.isCharged) throw new AlreadySettled(debit.amountMicros);
    return { row, alert: null };
  });
  if (closed) return { won: true, ...closed };
  const row = await readRow(ctx, generationId);
  if (!row) throw new Error('generation not found');
  return { won: false, row, alert: null };
}

/** The debit of a delivered generation, by the ledger or by the port that stands for it. */
export function settleReserve(
  tx: Transaction,
  ctx: StudioContext,
  input: { generationId: string; costMicros: Micros },
): Promise<CloseResult> {
  const { config, settle: port = settle } = ctx.studio;
  return port(tx, ctx, { ...input, spendAlertMicros: config.spendAlertMicros });
}

/** Audits that a row's reserve was not found, so that nothing was debited. */
async function recordMissing(tx: Transaction, ctx: StudioContext, row: Generation): Promise<Generation> {
  await clearCost.run(tx, { id: row.id });
  await recordAudits(tx, ctx, [
    audit(row, 'generation.charge_missing', { costMicros: row.costMicros?.toString() ?? null }),
  ]);
  return { ...row, costMicros: null };
}
