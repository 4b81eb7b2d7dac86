import type { Queries, Transaction } from './types.ts';

/**
 * Runs `work` in one transaction on one connection: committed when it returns, rolled back when it throws. When the commit itself
 * throws (a lost connection), the outcome is unknown and the caller has to read it back. Inside a transaction there is no other:
 * a verb that may be called from one takes its `tx`.
 */
export function transaction<T>(ctx: { kysely: Queries }, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return ctx.kysely.transaction().execute(work);
}

export type { Transaction };
