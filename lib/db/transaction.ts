import { sql } from 'kysely';
import { type Params, prepared } from './prepared.ts';
import type { Queries, Transaction } from './types.ts';

// Of the transaction alone: behind a pooler the connection is another client's next.
const limitLockWait = prepared('db.lock_wait', (db, p: Params<{ wait: string }>) =>
  db.selectNoFrom(sql<string>`set_config('lock_timeout', ${p.wait}, true)`.as('wait')),
);

/**
 * Runs `work` in one transaction on one connection: committed when it returns, rolled back when it throws. When the commit itself throws (a
 * lost connection), the outcome is unknown and the caller must read it back. Transactions do not nest: a verb that may be called within one
 * takes its `tx`. `lockWaitMs`: the longest wait of a statement for a lock, after which it throws (SQLSTATE 55P03).
 */
export function transaction<T>(
  { kysely, lockWaitMs }: { kysely: Queries; lockWaitMs?: number | undefined },
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return kysely.transaction().execute(async (tx) => {
    if (lockWaitMs !== undefined) await limitLockWait.run(tx, { wait: `${lockWaitMs}ms` });
    return work(tx);
  });
}

export type { Transaction };
