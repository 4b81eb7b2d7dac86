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
  month: Expression<string>;
  at: Expression<Date>;
  actor: Expression<string>;
  generationId?: Expression<string>;
  reserveId?: Expression<string>;
  note?: Expression<string | null>;
};

/** The columns of the wallet's row, as changed, that a line needs: to be returned by the update of the same statement. */
export const WALLET_COLUMNS = ['id', 'accountId', 'memberId', 'balanceMicros', 'heldMicros'] as const;

/** The row of a line, selected from a change of its wallet that is named `wallet`: the line exists only if the change does. */
export function lineOf(line: Line) {
  return selectedRow<'LedgerLine'>({
    ...line,
    accountId: sql.ref<string>('wallet.accountId'),
    walletId: sql.ref<string>('wallet.id'),
    memberId: sql.ref<string>('wallet.memberId'),
    balanceAfterMicros: sql.ref<bigint>('wallet.balanceMicros'),
    heldAfterMicros: sql.ref<bigint>('wallet.heldMicros'),
  });
}

/** What is settled in a month: the wallet's counter is of the latest month in which something was. */
export function spentIn(month: Expression<string>, wallet = 'Wallet') {
  const ref = (column: string) => sql.ref(`${wallet}.${column}`);
  return sql<bigint>`case when ${ref('month')} >= ${month} then ${ref('monthSpentMicros')} else 0 end`;
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
