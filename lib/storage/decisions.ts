import type { Context } from '#lib/core/context.ts';
import type { SqlTransaction } from '#lib/db/connection.ts';

/** One lock for « who keeps what »: any number of members keep files at once, retention decides alone. */
const KEEPING = 7_203_118;

/**
 * A transaction that keeps a file (or lets it go). While one runs, retention decides nothing; while retention decides, this
 * waits (milliseconds) and then sees which files it took. So nothing is deleted that somebody has just kept.
 */
export function keepingTransaction<T>(
  ctx: Pick<Context, 'sql'>,
  work: (tx: SqlTransaction) => Promise<T>,
): Promise<T> {
  return ctx.sql.transaction(async (tx) => {
    await tx.rows('storage.keeping', 'SELECT pg_advisory_xact_lock_shared($1)', [KEEPING]);
    return work(tx);
  });
}

/** A transaction that decides which files nobody keeps: every decision in it sees every file kept before it. */
export function decidingTransaction<T>(
  ctx: Pick<Context, 'sql'>,
  work: (tx: SqlTransaction) => Promise<T>,
): Promise<T> {
  return ctx.sql.transaction(async (tx) => {
    await tx.rows('storage.deciding', 'SELECT pg_advisory_xact_lock($1)', [KEEPING]);
    return work(tx);
  });
}
