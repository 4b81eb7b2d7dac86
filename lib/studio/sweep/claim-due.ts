import type { StudioContext } from '../context.ts';
import { type Generation, generationColumns, readGeneration } from '../journal/generation.ts';
import { SWEEP_LEASE_MS } from '../limits.ts';

/** A row that is due, and how the ledger closed its reserve, if it did. */
export type DueRow = {
  row: Generation;
  ledger: { kind: 'SETTLE' | 'REFUND'; amountMicros: bigint } | null;
};

/**
 * Takes up to `limit` open rows whose time has come, the longest waiting first. Several sweeps share the work: a row is claimed
 * by one until its lease ends, and a sweep that dies leaves it to the next one.
 */
export async function claimDue(ctx: StudioContext, limit: number): Promise<DueRow[]> {
  const now = ctx.clock.now();
  const rows = await ctx.sql.rows<
    Record<string, unknown> & { ledgerKind: 'SETTLE' | 'REFUND' | null; ledgerMicros: bigint | null }
  >(
    'studio.claim_due',
    `WITH due AS (
       SELECT "id" FROM "Generation" WHERE "state" IN ('STARTING', 'SUBMITTED') AND "dueAt" <= $1
       ORDER BY "dueAt" LIMIT $3 FOR UPDATE SKIP LOCKED),
     claimed AS (
       UPDATE "Generation" g SET "dueAt" = $2 FROM due WHERE g."id" = due."id" RETURNING g.*)
     SELECT ${generationColumns('c')}, l."kind" AS "ledgerKind", l."amountMicros" AS "ledgerMicros"
     FROM claimed c LEFT JOIN "LedgerLine" l ON l."generationId" = c."id" AND l."kind" IN ('SETTLE', 'REFUND')`,
    [now, new Date(now.getTime() + SWEEP_LEASE_MS), limit],
  );
  return rows.map(({ ledgerKind, ledgerMicros, ...columns }) => ({
    row: readGeneration(columns),
    ledger: ledgerKind === null ? null : { kind: ledgerKind, amountMicros: -(ledgerMicros ?? 0n) },
  }));
}
