import { type Expression, type Kysely, type QueryCreator, sql } from 'kysely';
import { actorLabel } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import type { Micros } from '#lib/core/money.ts';
import type { DB } from '#lib/db/generated/tables.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { Executor } from '#lib/db/types.ts';
import { allowanceColumns, allowanceOf } from './allowances.ts';
import { judgeReserve, type ReserveRefusal } from './judge-reserve.ts';
import { lineOf, nextLine, usedIn, WALLET_COLUMNS } from './lines.ts';
import { utcMonth } from './month.ts';

type ReserveInput = {
  accountId: string;
  memberId: string;
  generationId: string;
  /** More than zero. */
  amountMicros: Micros;
};

export type ReserveValues = ReserveInput & {
  lineId: string;
  month: string;
  at: Date;
  actor: string;
  /** The allowance of the calling key or application; null: a session. One that no longer exists lets nothing through. */
  allowanceId: string | null;
};

/** What a reserve asks for, and the allowance that it is charged to. */
const askedBy = (p: Params<ReserveValues>) => ({
  amount: sql<bigint>`${p.amountMicros}::bigint`,
  allowanceId: sql<string | null>`${p.allowanceId}::text`,
});

/** Locks the account's `budget`, then the caller's `allowance`, and reads the `limits` of both: no row when the allowance is gone. */
function withLimits(db: Kysely<DB>, p: Params<ReserveValues>) {
  const { allowanceId } = askedBy(p);
  return (
    db
      .with('budget', (qb) => lockBudget(qb, p.accountId))
      .with('allowance', (qb) =>
        qb
          .selectFrom('CredentialAllowance')
          .innerJoin('budget', 'budget.accountId', 'CredentialAllowance.accountId')
          .selectAll('CredentialAllowance')
          .where('CredentialAllowance.id', '=', allowanceId)
          .where('CredentialAllowance.memberId', '=', p.memberId)
          .forNoKeyUpdate('CredentialAllowance'),
      )
      // Joined, not a subquery: after waiting for a lock, PostgreSQL re-reads the wallet together with these rows.
      .with('limits', (qb) =>
        qb
          .selectFrom('budget')
          .leftJoin('allowance', 'allowance.accountId', 'budget.accountId')
          .selectAll('budget')
          .select([
            'allowance.monthlyCapMicros as allowedMicros',
            usedIn(p.month, 'allowance').as('allowanceUsedMicros'),
          ])
          .where((eb) => eb.or([eb(allowanceId, 'is', null), eb('allowance.id', 'is not', null)])),
      )
  );
}

/** Claims the amount from the `wallet`, unless a limit refuses it. */
function withClaim(db: ReturnType<typeof withLimits>, p: Params<ReserveValues>) {
  const { amount } = askedBy(p);
  return db.with('wallet', (qb) =>
    qb
      .updateTable('Wallet')
      .from('limits')
      .set((eb) => ({ heldMicros: eb('Wallet.heldMicros', '+', amount), ...nextLine(p.month, p.at) }))
      .where('Wallet.memberId', '=', p.memberId)
      .whereRef('Wallet.accountId', '=', 'limits.accountId')
      .where((eb) => eb(eb('Wallet.balanceMicros', '-', eb.ref('Wallet.heldMicros')), '>=', amount))
      .where((eb) =>
        eb.or([eb('perGenerationCapMicros', 'is', null), eb('perGenerationCapMicros', '>=', amount)]),
      )
      .where((eb) =>
        eb.or([
          eb('monthlyCapMicros', 'is', null),
          sql<boolean>`${usedIn(p.month, 'Wallet')} + ${amount} <= ${eb.ref('monthlyCapMicros')}`,
        ]),
      )
      .where((eb) =>
        eb.or([
          eb('monthlyCeilingMicros', 'is', null),
          sql<boolean>`${usedIn(p.month, 'limits')} + ${amount} <= ${eb.ref('monthlyCeilingMicros')}`,
        ]),
      )
      .where((eb) =>
        eb.or([
          eb('allowedMicros', 'is', null),
          sql<boolean>`${eb.ref('allowanceUsedMicros')} + ${amount} <= ${eb.ref('allowedMicros')}`,
        ]),
      )
      .returning(WALLET_COLUMNS.map((name) => `Wallet.${name}` as const)),
  );
}

/** Counts what the wallet holds now in the account's budget and in the caller's allowance too. */
function withHold(db: ReturnType<typeof withClaim>, p: Params<ReserveValues>) {
  const { amount, allowanceId } = askedBy(p);
  return db
    .with('held', (qb) =>
      qb
        .updateTable('Budget')
        .from('wallet')
        .set((eb) => ({ heldMicros: eb('Budget.heldMicros', '+', amount) }))
        .whereRef('Budget.accountId', '=', 'wallet.accountId'),
    )
    .with('allowed', (qb) =>
      qb
        .updateTable('CredentialAllowance')
        .from('wallet')
        .set((eb) => ({ heldMicros: eb('CredentialAllowance.heldMicros', '+', amount), updatedAt: p.at }))
        .where('CredentialAllowance.id', '=', allowanceId)
        .whereRef('CredentialAllowance.accountId', '=', 'wallet.accountId'),
    );
}

/**
 * The reserve as the first CTEs of one statement: locks the account's budget, claims the amount from the wallet by one conditional update,
 * counts it in the budget and in the caller's allowance, writes the line, and leaves a row in `reserve_line` only if all succeeded. What is
 * inserted by `select … from reserve_line` exists if and only if the reserve does. The budget's row is locked first, then the allowance's, and
 * both are read after the lock: the reserves of an account pass its limits one by one.
 */
export function withReserve(db: Kysely<DB>, p: Params<ReserveValues>) {
  const { amount, allowanceId } = askedBy(p);
  const line = lineOf({
    id: p.lineId,
    kind: sql.lit('RESERVE'),
    amountMicros: sql.lit(0n),
    heldMicros: amount,
    at: p.at,
    actor: p.actor,
    generationId: p.generationId,
    allowanceId,
  });
  return withHold(withClaim(withLimits(db, p), p), p).with('reserve_line', (qb) =>
    qb
      .insertInto('LedgerLine')
      .columns(line.columns)
      .expression((eb) => eb.selectFrom('wallet').select(line.selection))
      .returning('id'),
  );
}

/** Locks the account's budget until the end of the transaction: always before a wallet or a generation of the account. */
export function lockBudget(db: QueryCreator<DB>, accountId: Expression<string>) {
  return db.selectFrom('Budget').selectAll().where('accountId', '=', accountId).forNoKeyUpdate();
}

/** The values of `withReserve`'s parameters. */
export function reserveValues(ctx: Pick<Context, 'actor' | 'clock'>, input: ReserveInput): ReserveValues {
  const at = ctx.clock.now();
  return {
    ...input,
    lineId: createId('ledgerLine', at),
    month: utcMonth(at),
    at,
    actor: actorLabel(ctx.actor),
    allowanceId: allowanceOf(ctx.actor),
  };
}

const findWallet = prepared(
  'ledger.explain',
  (
    db,
    p: Params<Pick<ReserveInput, 'accountId' | 'memberId'> & { month: string; allowanceId: string | null }>,
  ) =>
    db
      .selectFrom('Wallet')
      .innerJoin('Budget as budget', 'budget.accountId', 'Wallet.accountId')
      .leftJoin('CredentialAllowance as allowance', (join) =>
        join.onRef('allowance.memberId', '=', 'Wallet.memberId').on('allowance.id', '=', p.allowanceId),
      )
      .select((eb) => [
        eb('Wallet.balanceMicros', '-', eb.ref('Wallet.heldMicros')).as('availableMicros'),
        'perGenerationCapMicros',
        'Wallet.monthlyCapMicros',
        usedIn(p.month, 'Wallet').as('monthUsedMicros'),
        'budget.monthlyCeilingMicros as accountCeilingMicros',
        usedIn(p.month, 'budget').as('accountUsedMicros'),
        ...allowanceColumns(p),
      ])
      .where('Wallet.memberId', '=', p.memberId)
      .where('Wallet.accountId', '=', p.accountId),
);

/**
 * Why the wallet refuses this amount now. Reads only; call it after a refused reserve. When credit was released in between, the answer is
 * `balance`: the refusal was true when it was made.
 */
export async function explainRefusal(
  on: Executor,
  ctx: Pick<Context, 'actor' | 'clock'>,
  input: Pick<ReserveInput, 'accountId' | 'memberId' | 'amountMicros'> & { eachMicros?: Micros },
): Promise<ReserveRefusal> {
  const { accountId, memberId, amountMicros, eachMicros } = input;
  const wallet = await findWallet.first(on, {
    accountId,
    memberId,
    month: utcMonth(ctx.clock.now()),
    allowanceId: allowanceOf(ctx.actor),
  });
  const none = {
    code: 'balance',
    detail: 'balance',
    availableMicros: wallet?.availableMicros ?? 0n,
  } as const;
  return (wallet && judgeReserve(wallet, amountMicros, eachMicros)) ?? none;
}
