import type { Context } from '#lib/core/context.ts';
import type { SqlTransaction } from '#lib/db/connection.ts';

/** The advisory lock of retention: shared by members who protect files, exclusive for whoever decides which files go. */
const RETENTION_LOCK = 7_203_118;

/**
 * A transaction that protects a file (or stops protecting it). While one runs, retention decides nothing; while retention decides,
 * this waits (milliseconds) and then sees which files it took. So nothing is deleted that somebody has just protected.
 */
export function withRetentionPaused<T>(
  ctx: Pick<Context, 'sql'>,
  work: (tx: SqlTransaction) => Promise<T>,
): Promise<T> {
  return ctx.sql.transaction(async (tx) => {
    await tx.rows('storage.keeping', 'SELECT pg_advisory_xact_lock_shared($1)', [RETENTION_LOCK]);
    return work(tx);
  });
}

/** A transaction that decides which files go: every decision in it sees every file that was protected before it. */
export function withRetentionLock<T>(
  ctx: Pick<Context, 'sql'>,
  work: (tx: SqlTransaction) => Promise<T>,
): Promise<T> {
  return ctx.sql.transaction(async (tx) => {
    await tx.rows('storage.deciding', 'SELECT pg_advisory_xact_lock($1)', [RETENTION_LOCK]);
    return work(tx);
  });
}
