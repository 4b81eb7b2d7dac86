import { type Expression, sql } from 'kysely';
import type { Micros } from '#lib/core/money.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { Executor } from '#lib/db/types.ts';
import { selectedRow } from '#lib/db/values.ts';

type LineValues = {
  accountId: string;
  id: string;
  amountMicros: Micros;
  at: Date;
  actor: string;
  note: string | null;
};

const COLUMNS = ['accountId', 'balanceMicros', 'lineCount'] as const;

/** The row of a line, selected from a change of its budget that is named `budget`: the line exists only if the change does. */
function budgetLine(
  p: Params<LineValues>,
  line: {
    kind: 'GIVEN' | 'SHARED' | 'TAKEN';
    amountMicros: Expression<bigint>;
    ledgerLineId?: Expression<string>;
    idempotencyKey?: Expression<string | null>;
  },
) {
  return selectedRow<'BudgetLine'>({
    ...line,
    kind: sql.lit(line.kind),
    id: p.id,
    accountId: sql.ref<string>('budget.accountId'),
    position: sql.ref<number>('budget.lineCount'),
    balanceAfterMicros: sql.ref<bigint>('budget.balanceMicros'),
    at: p.at,
    actor: p.actor,
    note: p.note,
  });
}

const changeOf = (amount: Expression<bigint>, sign: '+' | '-') => ({
  balanceMicros: sql<bigint>`${sql.ref('balanceMicros')} ${sql.raw(sign)} ${amount}`,
  lineCount: sql<number>`${sql.ref('lineCount')} + 1`,
});

const give = prepared(
  'ledger.budget.give',
  (db, p: Params<LineValues & { idempotencyKey: string | null }>) => {
    const amount = sql<bigint>`${p.amountMicros}::bigint`;
    const line = budgetLine(p, { kind: 'GIVEN', amountMicros: amount, idempotencyKey: p.idempotencyKey });
    return db
      .with('budget', (qb) =>
        qb
          .updateTable('Budget')
          .set(changeOf(amount, '+'))
          .where('accountId', '=', p.accountId)
          .returning(COLUMNS),
      )
      .insertInto('BudgetLine')
      .columns(line.columns)
      .expression((eb) => eb.selectFrom('budget').select(line.selection))
      .returning('balanceAfterMicros');
  },
);

const share = prepared('ledger.budget.share', (db, p: Params<LineValues & { ledgerLineId: string }>) => {
  const amount = sql<bigint>`${p.amountMicros}::bigint`;
  const line = budgetLine(p, {
    kind: 'SHARED',
    amountMicros: sql`-${amount}`,
    ledgerLineId: p.ledgerLineId,
  });
  return db
    .with('budget', (qb) =>
      qb
        .updateTable('Budget')
        .set(changeOf(amount, '-'))
        .where('accountId', '=', p.accountId)
        .where('balanceMicros', '>=', amount)
        .returning(COLUMNS),
    )
    .insertInto('BudgetLine')
    .columns(line.columns)
    .expression((eb) => eb.selectFrom('budget').select(line.selection))
    .returning('balanceAfterMicros');
});

const take = prepared(
  'ledger.budget.take',
  (db, p: Params<LineValues & { idempotencyKey: string | null }>) => {
    const amount = sql<bigint>`${p.amountMicros}::bigint`;
    const line = budgetLine(p, {
      kind: 'TAKEN',
      amountMicros: sql`-${amount}`,
      idempotencyKey: p.idempotencyKey,
    });
    return db
      .with('budget', (qb) =>
        qb
          .updateTable('Budget')
          .set(changeOf(amount, '-'))
          .where('accountId', '=', p.accountId)
          .where('balanceMicros', '>=', amount)
          .returning(COLUMNS),
      )
      .insertInto('BudgetLine')
      .columns(line.columns)
      .expression((eb) => eb.selectFrom('budget').select(line.selection))
      .returning('balanceAfterMicros');
  },
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
