import { type Kysely, sql } from 'kysely';
import { actorLabel } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import type { Micros } from '#lib/core/money.ts';
import type { DB } from '#lib/db/generated/tables.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { Executor } from '#lib/db/types.ts';
import { lineOf, nextLine, nextSpend, WALLET_COLUMNS } from './lines.ts';
import { utcMonth } from './month.ts';
import { lockBudget } from './reserve.ts';

/** The result of closing a reserve: the line was written, the reserve was closed already, or there was none. */
export type CloseResult = Written<'SETTLE' | 'REFUND'>;

/** The result of debiting the rest of a settlement, in the same terms. */
type RestResult = Written<'REST'>;

type Written<K> =
  | { found: 'open'; amountMicros: Micros; alert: SpendCrossing | null }
  | { found: 'closed'; kind: K; amountMicros: Micros }
  | { found: 'missing' };

/** A settlement that took the account's month over a multiple of the alert threshold; the alert's row is written. */
export type SpendCrossing = { accountId: string; month: string; multiple: number; spentMicros: Micros };

type DebitKind = 'SETTLE' | 'REFUND' | 'REST';

/** The largest multiple that its column holds: a tiny threshold must not make a debit fail. */
const MAX_MULTIPLE = 2_147_483_647;

type CloseValues = {
  generationId: string;
  kind: DebitKind;
  costMicros: Micros;
  lineId: string;
  month: string;
  at: Date;
  actor: string;
  /** 0: no alert. */
  thresholdMicros: Micros;
};

// A unique index refuses the line when another closer wrote one since this statement began; the losing transaction rolls back, counters included.
const closeLine = prepared('ledger.close', debitOn('RESERVE', ['SETTLE', 'REFUND']));
const restLine = prepared('ledger.rest', debitOn('SETTLE', ['REST']));

/** The cost that a statement debits. */
const costOf = (p: Params<CloseValues>) => sql<bigint>`${p.costMicros}::bigint`;

const kindOf = (p: Params<CloseValues>) => sql<DebitKind>`${p.kind}::"LedgerKind"`;

/** What a debit follows: the `reserve` of the generation, as its `after` line says it, and the line that `closed` it already, if any. */
function withReserveToClose(
  db: Kysely<DB>,
  p: Params<CloseValues>,
  { after, kinds }: { after: 'RESERVE' | 'SETTLE'; kinds: readonly DebitKind[] },
) {
  const isReserve = after === 'RESERVE';
  return db
    .with('reserve', (qb) =>
      qb
        .selectFrom('LedgerLine')
        .select((eb) => [
          eb.fn.coalesce(isReserve ? 'id' : 'reserveId', 'id').as('id'),
          'accountId',
          'walletId',
          'allowanceId',
          sql<bigint>`${isReserve ? eb.ref('heldMicros') : sql.lit(0)}::bigint`.as('heldMicros'),
        ])
        .where('generationId', '=', p.generationId)
        .where('kind', '=', after),
    )
    .with('closed', (qb) =>
      qb
        .selectFrom('LedgerLine')
        .select([sql<DebitKind>`kind`.as('kind'), 'amountMicros'])
        .where('generationId', '=', p.generationId)
        .where('kind', 'in', kinds),
    );
}

/** Debits the `wallet` unless the reserve is closed, and counts the same in the account's budget and in the credential's allowance. */
function withDebit(db: ReturnType<typeof withReserveToClose>, p: Params<CloseValues>) {
  const cost = costOf(p);
  return (
    db
      // Locked before the wallet, as in a reserve, so that statements of one account never deadlock.
      .with('budget', (qb) => lockBudget(qb, sql`(${qb.selectFrom('reserve').select('accountId')})`))
      .with('wallet', (qb) =>
        qb
          .updateTable('Wallet')
          .from(['reserve', 'budget'])
          .set((eb) => ({
            balanceMicros: eb('Wallet.balanceMicros', '-', cost),
            heldMicros: eb('Wallet.heldMicros', '-', eb.ref('reserve.heldMicros')),
            ...nextLine(p.month, p.at, cost),
          }))
          .whereRef('Wallet.id', '=', 'reserve.walletId')
          .whereRef('Wallet.accountId', '=', 'budget.accountId')
          .where((eb) => eb.not(eb.exists(eb.selectFrom('closed').select(sql.lit(1).as('one')))))
          .returning([
            ...WALLET_COLUMNS.map((name) => `Wallet.${name}` as const),
            'reserve.id as reserveId',
            'reserve.allowanceId',
            'reserve.heldMicros as releasedMicros',
          ]),
      )
      .with('counted', (qb) =>
        qb
          .updateTable('Budget')
          .from('wallet')
          .set((eb) => ({
            heldMicros: eb('Budget.heldMicros', '-', eb.ref('wallet.releasedMicros')),
            ...nextSpend(sql.ref('wallet.month'), cost),
          }))
          .whereRef('Budget.accountId', '=', 'wallet.accountId'),
      )
      .with('allowed', (qb) =>
        qb
          .updateTable('CredentialAllowance')
          .from('wallet')
          .set((eb) => ({
            heldMicros: eb('CredentialAllowance.heldMicros', '-', eb.ref('wallet.releasedMicros')),
            ...nextSpend(sql.ref('wallet.month'), cost, 'CredentialAllowance'),
            updatedAt: p.at,
          }))
          .whereRef('CredentialAllowance.id', '=', 'wallet.allowanceId'),
      )
  );
}

/** Writes the `line` of the debit, which exists only if the wallet was debited, and adds a cost to the account's `spend` of the month. */
function withLineAndSpend(db: ReturnType<typeof withDebit>, p: Params<CloseValues>) {
  const [cost, kind] = [costOf(p), kindOf(p)];
  const isRefund = sql<boolean>`${kind} = 'REFUND'`;
  const line = lineOf({
    id: p.lineId,
    kind,
    amountMicros: sql`-${cost}`,
    heldMicros: sql`-${sql.ref('wallet.releasedMicros')}`,
    at: p.at,
    actor: p.actor,
    generationId: p.generationId,
    reserveId: sql.ref('wallet.reserveId'),
    allowanceId: sql.ref('wallet.allowanceId'),
  });
  return db
    .with('line', (qb) =>
      qb
        .insertInto('LedgerLine')
        .columns(line.columns)
        .expression((eb) => eb.selectFrom('wallet').select(line.selection))
        .returning(['accountId', 'month']),
    )
    .with('spend', (qb) =>
      qb
        .insertInto('SpendMonth')
        .columns(['accountId', 'month', 'spentMicros'])
        .expression((eb) =>
          eb
            .selectFrom('line')
            .select(['accountId', 'month', cost.as('spentMicros')])
            .where(sql<boolean>`not ${isRefund}`),
        )
        .onConflict((conflict) =>
          conflict.columns(['accountId', 'month']).doUpdateSet((eb) => ({
            spentMicros: eb('SpendMonth.spentMicros', '+', eb.ref('excluded.spentMicros')),
          })),
        )
        .returning(['accountId', 'month', 'spentMicros']),
    );
}

/** Writes the `alert` of a month whose spend the debit took over a multiple of the threshold. */
function withSpendAlert(db: ReturnType<typeof withLineAndSpend>, p: Params<CloseValues>) {
  const cost = costOf(p);
  const threshold = sql<bigint>`nullif(${p.thresholdMicros}::bigint, 0)`;
  const times = sql`${sql.ref('spentMicros')} / ${threshold}`;
  const crossed = sql<number>`least(${times}, ${sql.lit(MAX_MULTIPLE)})::int`;
  return db.with('alert', (qb) =>
    qb
      .insertInto('SpendAlert')
      .columns(['accountId', 'month', 'multiple', 'thresholdMicros', 'spentMicros', 'createdAt'])
      .expression((eb) =>
        eb
          .selectFrom('spend')
          .select([
            'accountId',
            'month',
            crossed.as('multiple'),
            sql`${threshold}`.as('thresholdMicros'),
            'spentMicros',
            sql`${p.at}`.as('createdAt'),
          ])
          // A threshold of 0 is null here, and no crossing.
          .where(
            sql<boolean>`${sql.ref('spentMicros')} / ${threshold} > (${sql.ref('spentMicros')} - ${cost}) / ${threshold}`,
          ),
      )
      .onConflict((conflict) => conflict.doNothing())
      .returning(['accountId', 'month', 'multiple', 'spentMicros']),
  );
}

/**
 * Writes the line that follows a generation's `after` line, at most one of its kinds. After a reserve it releases what is held; after a
 * settlement there is nothing to release.
 */
function debitOn(after: 'RESERVE' | 'SETTLE', kinds: readonly DebitKind[]) {
  return (db: Kysely<DB>, p: Params<CloseValues>) =>
    withSpendAlert(withLineAndSpend(withDebit(withReserveToClose(db, p, { after, kinds }), p), p), p)
      .selectFrom(sql<{ one: number }>`(select 1)`.as<'found'>(sql`found("one")`))
      .leftJoin('alert', (join) => join.onTrue())
      .select((eb) => [
        eb.selectFrom('reserve').select('id').as('reserveId'),
        eb.selectFrom('closed').select('kind').as('closedKind'),
        eb.selectFrom('closed').select('amountMicros').as('closedAmountMicros'),
        eb.exists(eb.selectFrom('line').select('accountId')).as('written'),
        'alert.accountId',
        'alert.month',
        'alert.multiple',
        'alert.spentMicros',
      ]);
}

async function write<K extends DebitKind>(
  on: Executor,
  ctx: Pick<Context, 'actor' | 'clock'>,
  input: Pick<CloseValues, 'generationId' | 'costMicros' | 'thresholdMicros'> & { kind: K },
): Promise<Written<K extends 'REST' ? 'REST' : 'SETTLE' | 'REFUND'>> {
  const at = ctx.clock.now();
  const row = await (input.kind === 'REST' ? restLine : closeLine).first(on, {
    ...input,
    lineId: createId('ledgerLine', at),
    month: utcMonth(at),
    at,
    actor: actorLabel(ctx.actor),
  });
  if (!row?.reserveId) return { found: 'missing' };
  if (row.closedKind !== null)
    return {
      found: 'closed',
      kind: row.closedKind as K extends 'REST' ? 'REST' : 'SETTLE' | 'REFUND',
      amountMicros: -(row.closedAmountMicros ?? 0n),
    };
  if (!row.written) throw new Error('the ledger line was not written');
  const { accountId, month, multiple, spentMicros } = row;
  const alert =
    accountId === null || month === null || multiple === null || spentMicros === null
      ? null
      : { accountId, month, multiple, spentMicros };
  return { found: 'open', amountMicros: input.costMicros, alert };
}

/**
 * Debits the measured cost and releases the reserve, in one statement. Never refused: the cost may exceed the reserve
 * and take the balance below zero. `amountMicros` of the answer is what was debited, by this call or by an earlier one.
 * Throws on a negative cost, and (unique index) when another transaction closes the same reserve at the same moment.
 */
export async function settle(
  on: Executor,
  ctx: Pick<Context, 'actor' | 'clock'>,
  input: {
    generationId: string;
    costMicros: Micros;
    /** SERVICE_SPEND_ALERT_USD in micro-dollars; 0 or absent: no alert. */
    spendAlertMicros?: Micros;
  },
): Promise<CloseResult> {
  const { generationId, costMicros, spendAlertMicros = 0n } = input;
  if (costMicros < 0n) throw new RangeError('a cost is not negative');
  const thresholdMicros = spendAlertMicros > 0n ? spendAlertMicros : 0n;
  return write(on, ctx, { generationId, kind: 'SETTLE', costMicros, thresholdMicros });
}

/**
 * Debits the rest of a settled generation's cost, once however often it is called: `found: 'closed'` returns what an earlier call debited,
 * `missing` means that nothing was settled. Throws on an amount that is not above 0, and (unique index) when another transaction debits it at
 * the same moment.
 */
export async function settleRest(
  on: Executor,
  ctx: Pick<Context, 'actor' | 'clock'>,
  input: { generationId: string; restMicros: Micros; spendAlertMicros?: Micros },
): Promise<RestResult> {
  const { generationId, restMicros, spendAlertMicros = 0n } = input;
  if (restMicros <= 0n) throw new RangeError('a rest is above 0');
  const thresholdMicros = spendAlertMicros > 0n ? spendAlertMicros : 0n;
  return write(on, ctx, { generationId, kind: 'REST', costMicros: restMicros, thresholdMicros });
}

/** Releases the reserve without a debit, in one statement. A settled reserve stays settled: the answer says so. */
export async function refund(
  on: Executor,
  ctx: Pick<Context, 'actor' | 'clock'>,
  input: { generationId: string },
): Promise<CloseResult> {
  return write(on, ctx, { ...input, kind: 'REFUND', costMicros: 0n, thresholdMicros: 0n });
}
