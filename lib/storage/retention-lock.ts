import { sql } from 'kysely';
import type { Context } from '#lib/core/context.ts';
import { prepared } from '#lib/db/prepared.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';

/** The advisory lock of retention: shared by members who protect files, exclusive for whoever decides which files go. */
const RETENTION_LOCK = sql.lit(7_203_118);

const lockShared = prepared('storage.retention_pause', (db) =>
  db.selectNoFrom(sql`pg_advisory_xact_lock_shared(${RETENTION_LOCK})`.as('locked')),
);
const lockExclusive = prepared('storage.retention_lock', (db) =>
  db.selectNoFrom(sql`pg_advisory_xact_lock(${RETENTION_LOCK})`.as('locked')),
);

/**
 * A transaction that protects a file (or stops protecting it). While one runs, retention decides nothing; while retention decides,
 * this waits (milliseconds) and then sees which files it took. So nothing is deleted that somebody has just protected.
 */
export function withRetentionPaused<T>(
  ctx: Pick<Context, 'kysely'>,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return transaction(ctx, async (tx) => {
    await lockShared.run(tx, {});
    return work(tx);
  });
}

/** A transaction that decides which files go: every decision in it sees every file that was protected before it. */
export function withRetentionLock<T>(
  ctx: Pick<Context, 'kysely'>,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return transaction(ctx, async (tx) => {
    await lockExclusive.run(tx, {});
    return work(tx);
  });
}
