import { sql } from 'kysely';
import { type AuditEvent, auditRecords, recordAudits } from '#lib/core/audit.ts';
import type { Micros } from '#lib/core/money.ts';
import { inOpenState, isOpenState } from '#lib/db/open-states.ts';
import { type Params as Parameters, prepared } from '#lib/db/prepared.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import type { StudioContext } from '../context.ts';
import { readRow } from '../generation/find-generation.ts';
import { GENERATION_COLUMNS, type Generation, readGeneration } from '../generation/generation.ts';
import type { Artifact, Params } from '../generation/params.ts';
import { SETTLE_AFTER_MS } from '../limits.ts';
import { audit } from './audit-events.ts';
import { assetRecords, insertAssets, insertAudits } from './closing-statements.ts';
import { settleReserve } from './commit-closing.ts';

type Deferral = {
  artifacts: Artifact[];
  facts: Partial<Params>;
  costMicros: Micros;
  gatewayGenerationId?: string | undefined;
  /** Entries about the cost, written with whatever can be written, once. */
  costAudits: AuditEvent[];
  cause: unknown;
};

type DeferValues = {
  id: string;
  artifacts: string;
  now: Date;
  facts: string;
  dueAt: Date;
  assets: string;
  audits: string;
  gatewayGenerationId: string | null;
};

const deferRow = prepared('studio.defer', (db, p: Parameters<DeferValues>) =>
  db
    .with('changed', (qb) =>
      qb
        .updateTable('Generation')
        .set((eb) => ({
          state: 'SUBMITTED',
          chargePending: true,
          artifacts: sql`${p.artifacts}::jsonb`,
          updatedAt: p.now,
          gatewayGenerationId: eb.fn.coalesce(p.gatewayGenerationId, 'gatewayGenerationId'),
          submittedAt: eb.fn.coalesce('submittedAt', p.now),
          params: sql`${eb.ref('params')} || ${p.facts}::jsonb`,
          dueAt: sql<Date>`greatest(${p.dueAt}::timestamptz, ${p.now}::timestamptz)`,
        }))
        .where('id', '=', p.id)
        .where(inOpenState('state'))
        .where('chargePending', '=', false)
        // A row already debited waits for no debit: another closer wrote it alone, with its audit.
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('LedgerLine as debit')
                .select('debit.id')
                .whereRef('debit.generationId', '=', 'Generation.id')
                .where('debit.kind', '=', 'SETTLE'),
            ),
          ),
        )
        .returning(GENERATION_COLUMNS),
    )
    .with('assets', (qb) => insertAssets(qb, p.assets, p.now))
    .with('audits', (qb) => insertAudits(qb, p.audits))
    .selectFrom('changed')
    .select(GENERATION_COLUMNS),
);

/**
 * The file is stored and the closing transaction failed. Tries, in this order: the row alone (`chargePending`, audit
 * `generation.settle_pending`); the debit alone (audit `generation.close_pending`). The member has the file in both. Throws the
 * first failure when neither could be written: the sweep then finds the file in the store and settles the estimate.
 */
export async function deferCharge(
  ctx: StudioContext,
  row: Generation,
  deferral: Deferral,
): Promise<Generation> {
  const { artifacts, costMicros, costAudits, gatewayGenerationId } = deferral;
  const event = (action: 'generation.settle_pending' | 'generation.close_pending') =>
    audit(row, action, {
      costMicros: costMicros.toString(),
      ...(gatewayGenerationId ? { gatewayGenerationId } : {}),
    });
  const facts = { ...deferral.facts, pendingCostMicros: Number(costMicros) };
  const sinceMs = (row.startedAt ?? row.createdAt).getTime();
  try {
    const deferred = await deferRow.first(ctx.kysely, {
      id: row.id,
      artifacts: JSON.stringify(artifacts),
      now: ctx.clock.now(),
      facts: JSON.stringify(facts),
      dueAt: new Date(sinceMs + SETTLE_AFTER_MS),
      assets: assetRecords(ctx, artifacts),
      audits: auditRecords(ctx, [event('generation.settle_pending'), ...costAudits]),
      gatewayGenerationId: gatewayGenerationId ?? null,
    });
    if (deferred) return readGeneration(deferred);
  } catch {
    // An error that stops the row's update must not stop the debit.
  }
  // Written after all and its answer lost, or written by another closer.
  const current = await readRow(ctx, row.id).catch(() => null);
  if (current && (!isOpenState(current.state) || current.chargePending)) return current;
  try {
    await transaction(ctx, async (tx) => {
      const debit = await settleReserve(tx, ctx, { generationId: row.id, costMicros });
      if (debit.found === 'closed' && debit.kind === 'REFUND')
        throw new Error('the reserve was refunded already');
      if (debit.found !== 'open') return;
      // The row was written after all, by this closer or another, together with the audit of its cost.
      const isTold = await isPending(tx, row.id);
      await recordAudits(tx, ctx, [event('generation.close_pending'), ...(isTold ? [] : costAudits)]);
    });
  } catch {
    throw deferral.cause;
  }
  return {
    ...row,
    artifacts,
    params: { ...row.params, ...facts },
    gatewayGenerationId: gatewayGenerationId ?? row.gatewayGenerationId,
    chargePending: false,
  };
}

async function isPending(tx: Transaction, generationId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('Generation')
    .select('id')
    .where('id', '=', generationId)
    .where('chargePending', '=', true)
    .executeTakeFirst();
  return row !== undefined;
}
