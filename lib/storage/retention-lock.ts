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
 * Runs a transaction that protects a file, or stops protecting it, under a shared lock. It excludes retention's decisions, which it waits for
 * (milliseconds) and then sees: a file that was just protected is never deleted.
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

/** Runs a transaction that decides which files are deleted, under the exclusive lock: it sees every protection made before it. */
export function withRetentionLock<T>(
  ctx: Pick<Context, 'kysely'>,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return transaction(ctx, async (tx) => {
    await lockExclusive.run(tx, {});
    return work(tx);
  });
}
