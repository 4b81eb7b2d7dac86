import type { StudioContext } from '../context.ts';
import { type Generation, generationColumns, readGeneration } from '../generation/generation.ts';
import { SWEEP_LEASE_MS } from '../limits.ts';

/** A row that is due, and how the ledger closed its reserve, if it did. */
export type DueRow = {
  row: Generation;
  ledger: { kind: 'SETTLE' | 'REFUND'; amountMicros: bigint } | null;
  /** When it was due, before this claim. */
  dueAt: Date;
};

/** `ours`: what the ledger, the row and our store decide alone, no provider is asked. `any`: everything. */
export type Lane = 'ours' | 'any';

const OURS = `AND ("chargePending" OR "kind" NOT IN ('VIDEO', 'MOTION', 'LIPSYNC', 'RENDER') OR EXISTS (
  SELECT 1 FROM "LedgerLine" l WHERE l."generationId" = "Generation"."id" AND l."kind" IN ('SETTLE', 'REFUND')))`;

/**
 * Takes up to `limit` open rows whose time has come, the longest waiting first. Several sweeps share the work: a row is claimed
 * by one until its lease ends, and a sweep that dies leaves it to the next one.
 */
export async function claimDue(ctx: StudioContext, limit: number, lane: Lane = 'any'): Promise<DueRow[]> {
  const now = ctx.clock.now();
  const rows = await ctx.sql.rows<
    Record<string, unknown> & {
      ledgerKind: 'SETTLE' | 'REFUND' | null;
      ledgerMicros: bigint | null;
      wasDueAt: Date;
    }
  >(
    lane === 'ours' ? 'studio.claim_ours' : 'studio.claim_due',
    `WITH due AS (
       SELECT "id", "dueAt" FROM "Generation" WHERE "state" IN ('STARTING', 'SUBMITTED') AND "dueAt" <= $1
       ${lane === 'ours' ? OURS : ''}
       ORDER BY "dueAt" LIMIT $3 FOR UPDATE SKIP LOCKED),
     claimed AS (
       UPDATE "Generation" g SET "dueAt" = $2 FROM due WHERE g."id" = due."id" RETURNING g.*, due."dueAt" AS "wasDueAt")
     SELECT ${generationColumns('c')}, c."wasDueAt", l."kind" AS "ledgerKind", l."amountMicros" AS "ledgerMicros"
     FROM claimed c LEFT JOIN "LedgerLine" l ON l."generationId" = c."id" AND l."kind" IN ('SETTLE', 'REFUND')`,
    [now, new Date(now.getTime() + SWEEP_LEASE_MS), limit],
  );
  return rows.map(({ ledgerKind, ledgerMicros, wasDueAt, ...columns }) => ({
    row: readGeneration(columns),
    ledger: ledgerKind === null ? null : { kind: ledgerKind, amountMicros: -(ledgerMicros ?? 0n) },
    dueAt: wasDueAt,
  }));
}

/** Gives back rows that were claimed and not begun: they are due as they were, for whoever sweeps next. */
export async function releaseDue(ctx: StudioContext, due: readonly DueRow[]): Promise<void> {
  if (due.length === 0) return;
  await ctx.sql.rows(
    'studio.release_due',
    `UPDATE "Generation" g SET "dueAt" = r."dueAt" FROM unnest($1::text[], $2::timestamptz[]) AS r("id", "dueAt")
     WHERE g."id" = r."id" AND g."state" IN ('STARTING', 'SUBMITTED')`,
    [due.map(({ row }) => row.id), due.map(({ dueAt }) => dueAt)],
  );
}
