import { sql } from 'kysely';
import { actorLabel, hasPermission } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { formatUsd, type Micros } from '#lib/core/money.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { Transaction } from '#lib/db/types.ts';
import { type Member, memberInReach, requireGrant } from './access.ts';
import { takeFromBudget } from './budget-lines.ts';
import { checkedGrant, type Grant, onceByKey } from './grant-rules.ts';
import { lineOf, linesOf, nextLine, WALLET_COLUMNS } from './lines.ts';
import { isLow, paceMs } from './low-balance.ts';
import { utcMonth } from './month.ts';
import { openWallet } from './open-wallet.ts';

type GrantValues = {
  memberId: string;
  amountMicros: Micros;
  lineId: string;
  at: Date;
  month: string;
  paceMs: bigint;
  actor: string;
  note: string | null;
  idempotencyKey: string | null;
};

const grant = prepared('ledger.grant', (db, p: Params<GrantValues>) => {
  const amount = sql<bigint>`${p.amountMicros}::bigint`;
  const line = lineOf({
    id: p.lineId,
    kind: sql.lit('GRANT'),
    amountMicros: amount,
    heldMicros: sql.lit(0n),
    at: p.at,
    actor: p.actor,
    note: p.note,
    idempotencyKey: p.idempotencyKey,
  });
  const staysLow = isLow('Wallet', { month: p.month, paceMs: p.paceMs, addedMicros: amount });
  const whileLow = (column: 'lowToldAt' | 'lowClaimedUntil') =>
    sql<Date | null>`case when ${staysLow} then ${sql.ref(`Wallet.${column}`)} end`;
  return db
    .with('wallet', (qb) =>
      qb
        .updateTable('Wallet')
        .set((eb) => ({
          balanceMicros: eb('balanceMicros', '+', amount),
          // A credit that ends the low balance allows the founders to be told again.
          lowToldAt: whileLow('lowToldAt'),
          lowClaimedUntil: whileLow('lowClaimedUntil'),
          ...nextLine(p.month, p.at),
        }))
        .where('memberId', '=', p.memberId)
        .returning(WALLET_COLUMNS),
    )
    .insertInto('LedgerLine')
    .columns(line.columns)
    .expression((eb) => eb.selectFrom('wallet').select(line.selection))
    .returning('balanceAfterMicros');
});

const findGrant = prepared('ledger.granted', (db, p: Params<{ memberId: string; idempotencyKey: string }>) =>
  linesOf(db, p.memberId)
    .select(['line.id', 'line.amountMicros', 'line.note', 'line.balanceAfterMicros'])
    .where('line.idempotencyKey', '=', p.idempotencyKey),
);

type Granted = {
  lineId: string;
  /** The balance once it was given. */
  balanceMicros: Micros;
  /** The same request was made before, under its key: nothing was given now. */
  replayed: boolean;
};

/**
 * Gives a member credit, opening the wallet when there is none. The operator's founders and the shell create it; a tenant's founder takes it
 * out of what the account was given. Under an `idempotencyKey` the same request gives once; another amount or note under it is
 * `idempotency_conflict`. Errors: `forbidden`, `verification_required`, `not_found` (also a removed member), `invalid` naming the field, also
 * for more than the account has left to share out. Audited `ledger.granted`.
 */
export async function grantCredit(
  ctx: Context,
  input: { memberId: string; amountMicros: Micros; note?: string; idempotencyKey?: string },
): Promise<Granted> {
  requireGrant(ctx);
  const given = checkedGrant(input);
  requireRecentVerification(ctx);
  const member = await memberInReach(ctx, input.memberId);
  return onceByKey(given, {
    find: (idempotencyKey) => findGrant.first(ctx.kysely, { memberId: member.memberId, idempotencyKey }),
    write: () => writeGrant(ctx, member, given),
    replay: (line) => ({ lineId: line.id, balanceMicros: line.balanceAfterMicros, replayed: true }),
  });
}

async function writeGrant(ctx: Context, member: Member, input: Grant): Promise<Granted> {
  const at = ctx.clock.now();
  const lineId = createId('ledgerLine', at);
  const balanceMicros = await transaction(ctx, async (tx) => {
    await requireStaying(tx, member);
    await openWallet(tx, ctx, member);
    if (!hasPermission(ctx.actor, 'service.operate')) await share(tx, ctx, member, { ...input, lineId, at });
    const line = await grant.first(tx, {
      memberId: member.memberId,
      amountMicros: input.amountMicros,
      lineId,
      at,
      month: utcMonth(at),
      paceMs: paceMs(at),
      actor: actorLabel(ctx.actor),
      note: input.note,
      idempotencyKey: input.idempotencyKey ?? null,
    });
    await recordAudits(tx, ctx, [
      {
        action: 'ledger.granted',
        accountId: member.accountId,
        subject: { type: 'member', id: member.memberId },
        data: { lineId, amountMicros: input.amountMicros.toString() },
      },
    ]);
    return line?.balanceAfterMicros ?? 0n;
  });
  return { lineId, balanceMicros, replayed: false };
}

/** Credit cannot be taken back from a wallet: a removed member gets none. A concurrent removal of the member waits, or was first. */
async function requireStaying(tx: Transaction, { accountId, memberId }: Member): Promise<void> {
  const staying = await tx
    .selectFrom('Member')
    .select('id')
    .where('id', '=', memberId)
    .where('accountId', '=', accountId)
    .where('status', '<>', 'REMOVED')
    .forShare()
    .executeTakeFirst();
  if (!staying)
    throw new ServiceError('not_found', {
      message: 'Ce membre n’est plus dans ce compte\u00a0: rien n’a été accordé.',
    });
}

/** A tenant's credit comes out of the account's budget: the same amount is taken from it, or nothing happens. */
async function share(
  tx: Transaction,
  ctx: Context,
  { accountId }: Member,
  { amountMicros, note, lineId, at }: Grant & { lineId: string; at: Date },
): Promise<void> {
  const left = await takeFromBudget(tx, {
    accountId,
    id: createId('budgetLine', at),
    amountMicros,
    at,
    actor: actorLabel(ctx.actor),
    note,
    ledgerLineId: lineId,
  });
  if (left !== null) return;
  const { balanceMicros } = await tx
    .selectFrom('Budget')
    .select('balanceMicros')
    .where('accountId', '=', accountId)
    .executeTakeFirstOrThrow();
  const message = `Le compte n’a que ${formatUsd(balanceMicros)} à répartir\u00a0: rien n’a été accordé. Demandez davantage à l’exploitant du service.`;
  throw new ServiceError('invalid', { detail: 'budget', problems: [{ field: 'amountUsd', message }] });
}
