import { type Expression, type Kysely, sql } from 'kysely';
import type { Micros } from '#lib/core/money.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { DB, Executor } from '#lib/db/types.ts';
import { selectedRow } from '#lib/db/values.ts';

type LineValues = {
  accountId: string;
  id: string;
  amountMicros: Micros;
  at: Date;
  actor: string;
  note: string | null;
};

type Line = {
  kind: 'GIVEN' | 'SHARED' | 'TAKEN';
  ledgerLineId?: Expression<string>;
  idempotencyKey?: Expression<string | null>;
};

/** One statement that changes a budget and writes its line: the line exists only if the change was made, which never overdraws. */
function changeWithLine(db: Kysely<DB>, p: Params<LineValues>, { kind, ...link }: Line) {
  const amount = sql<bigint>`${p.amountMicros}::bigint`;
  const given = kind === 'GIVEN';
  const sign = sql.raw(given ? '+' : '-');
  const line = selectedRow<'BudgetLine'>({
    ...link,
    kind: sql.lit(kind),
    amountMicros: given ? amount : sql`-${amount}`,
    id: p.id,
    accountId: sql.ref<string>('budget.accountId'),
    position: sql.ref<number>('budget.lineCount'),
    balanceAfterMicros: sql.ref<bigint>('budget.balanceMicros'),
    at: p.at,
    actor: p.actor,
    note: p.note,
  });
  return db
    .with('budget', (qb) =>
      qb
        .updateTable('Budget')
        .set({
          balanceMicros: sql<bigint>`${sql.ref('balanceMicros')} ${sign} ${amount}`,
          lineCount: sql<number>`${sql.ref('lineCount')} + 1`,
        })
        .where('accountId', '=', p.accountId)
        .$if(!given, (one) => one.where('balanceMicros', '>=', amount))
        .returning(['accountId', 'balanceMicros', 'lineCount']),
    )
    .insertInto('BudgetLine')
    .columns(line.columns)
    .expression((eb) => eb.selectFrom('budget').select(line.selection))
    .returning('balanceAfterMicros');
}

const give = prepared('ledger.budget.give', (db, p: Params<LineValues & { idempotencyKey: string | null }>) =>
  changeWithLine(db, p, { kind: 'GIVEN', idempotencyKey: p.idempotencyKey }),
);

const share = prepared('ledger.budget.share', (db, p: Params<LineValues & { ledgerLineId: string }>) =>
  changeWithLine(db, p, { kind: 'SHARED', ledgerLineId: p.ledgerLineId }),
);

const take = prepared('ledger.budget.take', (db, p: Params<LineValues & { idempotencyKey: string | null }>) =>
  changeWithLine(db, p, { kind: 'TAKEN', idempotencyKey: p.idempotencyKey }),
);

const findGiven = prepared(
  'ledger.budget.given',
  (db, p: Params<{ accountId: string; idempotencyKey: string }>) =>
    db
      .selectFrom('BudgetLine')
      .select(['id', 'amountMicros', 'note', 'balanceAfterMicros'])
      .where('accountId', '=', p.accountId)
      .where('idempotencyKey', '=', p.idempotencyKey),
);

/** Adds credit to an account's budget, which exists, with its line. Returns what is then to be shared out. */
export async function giveToBudget(
  on: Executor,
  values: LineValues & { idempotencyKey: string | null },
): Promise<Micros> {
  const line = await give.first(on, values);
  if (!line) throw new Error('this account has no budget');
  return line.balanceAfterMicros;
}

/** Takes credit out of an account's budget for a member's wallet, with its line. Null when the budget does not hold that much: nothing changed. */
export async function takeFromBudget(
  on: Executor,
  values: LineValues & { ledgerLineId: string },
): Promise<Micros | null> {
  return (await share.first(on, values))?.balanceAfterMicros ?? null;
}

/** Takes credit back out of an account's budget, with its line. Null when the budget does not hold that much: nothing changed. */
export async function takeBack(
  on: Executor,
  values: LineValues & { idempotencyKey: string | null },
): Promise<Micros | null> {
  return (await take.first(on, values))?.balanceAfterMicros ?? null;
}

/** What was given to an account, or taken back, under a key, or undefined. */
export function findGivenLine(on: Executor, input: { accountId: string; idempotencyKey: string }) {
  return findGiven.first(on, input);
}
