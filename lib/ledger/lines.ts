import { type Expression, type Kysely, sql } from 'kysely';
import type { DB } from '#lib/db/generated/tables.ts';
import { selectedRow } from '#lib/db/values.ts';

/** What a line says beside the wallet that it was written on. */
type Line = {
  id: Expression<string>;
  kind: Expression<DB['LedgerLine']['kind']>;
  /** Its effect on the balance, and on what is held. */
  amountMicros: Expression<bigint>;
  heldMicros: Expression<bigint>;
  at: Expression<Date>;
  actor: Expression<string>;
  generationId?: Expression<string>;
  reserveId?: Expression<string>;
  note?: Expression<string | null>;
  idempotencyKey?: Expression<string | null>;
  allowanceId?: Expression<string | null>;
};

/** The columns of the wallet's row, as changed, that a line needs: to be returned by the update of the same statement. */
export const WALLET_COLUMNS = [
  'id',
  'accountId',
  'memberId',
  'balanceMicros',
  'heldMicros',
  'month',
  'lineCount',
] as const;

/**
 * The changes of every line to its wallet, beside its amounts: the next position, and the month, which never goes back. `spent` is what the
 * line settles. Lines are ordered by the order in which writers locked the row, whatever their clocks.
 */
export function nextLine(
  month: Expression<string>,
  at: Expression<Date>,
  spent: Expression<bigint> = sql.lit(0n),
) {
  const ref = (column: keyof DB['Wallet']) => sql.ref(`Wallet.${column}`);
  return {
    lineCount: sql<number>`${ref('lineCount')} + 1`,
    month: sql<string>`greatest(${ref('month')}, ${month})`,
    monthSpentMicros: sql<bigint>`${spentIn(month)} + ${spent}`,
    updatedAt: at,
  };
}

/** The row of a line, selected from a change of its wallet that is named `wallet`: the line exists only if the change does. */
export function lineOf(line: Line) {
  return selectedRow<'LedgerLine'>({
    ...line,
    accountId: sql.ref<string>('wallet.accountId'),
    walletId: sql.ref<string>('wallet.id'),
    memberId: sql.ref<string>('wallet.memberId'),
    balanceAfterMicros: sql.ref<bigint>('wallet.balanceMicros'),
    heldAfterMicros: sql.ref<bigint>('wallet.heldMicros'),
    month: sql.ref<string>('wallet.month'),
    position: sql.ref<number>('wallet.lineCount'),
  });
}

/** What is settled in the month: nothing yet when the wallet's latest line is of an earlier one. */
export function spentIn(month: Expression<string>, wallet = 'Wallet') {
  const ref = (column: string) => sql.ref(`${wallet}.${column}`);
  return sql<bigint>`case when ${ref('month')} >= ${month} then ${ref('monthSpentMicros')} else 0 end`;
}

/** What counts against the monthly limit of a wallet, budget or allowance: settled plus held. */
export function usedIn(month: Expression<string>, table: 'Wallet' | 'budget' | 'limits' | 'allowance') {
  return sql<bigint>`${spentIn(month, table)} + ${sql.ref(`${table}.heldMicros`)}`;
}

/**
 * The changes of a closed reserve to the account's budget, or a credential's allowance: the month moves on to that of the line, never back; an
 * amount counts in the month of its own line, and is not added once the month has moved past it.
 */
export function nextSpend(
  month: Expression<string>,
  spent: Expression<bigint>,
  table: 'Budget' | 'CredentialAllowance' = 'Budget',
) {
  const ref = (column: 'month' | 'monthSpentMicros') => sql.ref(`${table}.${column}`);
  return {
    month: sql<string>`greatest(${ref('month')}, ${month})`,
    monthSpentMicros: sql<bigint>`case when ${month} > ${ref('month')} then ${spent}
      when ${month} = ${ref('month')} then ${ref('monthSpentMicros')} + ${spent} else ${ref('monthSpentMicros')} end`,
  };
}

/** The lines of one member's wallet. */
export function linesOf(db: Kysely<DB>, memberId: Expression<string>) {
  return db
    .selectFrom('LedgerLine as line')
    .innerJoin('Wallet as wallet', 'wallet.id', 'line.walletId')
    .where('wallet.memberId', '=', memberId);
}

/** What a statement or a list shows of a line. */
export const LINE_COLUMNS = [
  'line.id',
  'line.position',
  'line.kind',
  'line.at',
  'line.amountMicros',
  'line.heldMicros',
  'line.balanceAfterMicros',
  'line.heldAfterMicros',
  'line.generationId',
  'line.actor',
  'line.note',
] as const;

/** The position in a page's cursor; undefined without one, or when it is invalid. */
export function positionOf(cursor: string | undefined): number | undefined {
  return cursor !== undefined && /^\d{1,9}$/.test(cursor) ? Number(cursor) : undefined;
}
