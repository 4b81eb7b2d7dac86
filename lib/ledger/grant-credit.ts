import { sql } from 'kysely';
import { actorLabel } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { MICROS_PER_USD, type Micros } from '#lib/core/money.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { transaction } from '#lib/db/transaction.ts';
import { type Member, memberInReach, requireGrant } from './access.ts';
import { lineOf, linesOf, nextLine, WALLET_COLUMNS } from './lines.ts';
import { utcMonth } from './month.ts';
import { openWallet } from './open-wallet.ts';

/** The largest single grant: a typing error, not a limit of the arithmetic. */
const MAX_GRANT_MICROS = 1_000_000n * MICROS_PER_USD;
const MAX_NOTE = 200;

type GrantValues = {
  memberId: string;
  amountMicros: Micros;
  lineId: string;
  at: Date;
  month: string;
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
  return db
    .with('wallet', (qb) =>
      qb
        .updateTable('Wallet')
        .set((eb) => ({ balanceMicros: eb('balanceMicros', '+', amount), ...nextLine(p.month, p.at) }))
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
 * Gives a member credit, opening the wallet when there is none. Under an `idempotencyKey` the same request gives once, however often
 * it comes; another amount or note under it is `idempotency_conflict`. Founders and the shell; audited `ledger.granted`.
 */
export async function grantCredit(
  ctx: Context,
  input: { memberId: string; amountMicros: Micros; note?: string; idempotencyKey?: string },
): Promise<Granted> {
  requireGrant(ctx);
  const note = input.note?.trim() || null;
  const problems = [];
  if (input.amountMicros <= 0n || input.amountMicros > MAX_GRANT_MICROS)
    problems.push({ field: 'amountUsd', message: 'Le crédit doit être compris entre 0 et 1 000 000 $US.' });
  if (note && note.length > MAX_NOTE)
    problems.push({ field: 'note', message: `La note compte au plus ${MAX_NOTE} caractères.` });
  if (problems.length > 0) throw new ServiceError('invalid', { problems });

  const member = await memberInReach(ctx, input.memberId);
  const { idempotencyKey } = input;
  if (idempotencyKey === undefined) return writeGrant(ctx, member, { ...input, note });
  const same = await findSame(ctx, member, { ...input, note, idempotencyKey });
  if (same) return same;
  try {
    return await writeGrant(ctx, member, { ...input, note });
  } catch (error) {
    if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
    const first = await findSame(ctx, member, { ...input, note, idempotencyKey });
    if (!first) throw error;
    return first;
  }
}

const UNIQUE_VIOLATION = '23505';
type Grant = { amountMicros: Micros; note: string | null; idempotencyKey?: string };

/** The grant that this key made, or null. */
async function findSame(
  ctx: Context,
  { memberId }: Member,
  { amountMicros, note, idempotencyKey }: Required<Grant>,
): Promise<Granted | null> {
  const line = await findGrant.first(ctx.kysely, { memberId, idempotencyKey });
  if (!line) return null;
  if (line.amountMicros !== amountMicros || line.note !== note)
    throw new ServiceError('idempotency_conflict');
  return { lineId: line.id, balanceMicros: line.balanceAfterMicros, replayed: true };
}

async function writeGrant(ctx: Context, member: Member, input: Grant): Promise<Granted> {
  const at = ctx.clock.now();
  const lineId = createId('ledgerLine', at);
  const balanceMicros = await transaction(ctx, async (tx) => {
    await openWallet(tx, ctx, member);
    const line = await grant.first(tx, {
      memberId: member.memberId,
      amountMicros: input.amountMicros,
      lineId,
      at,
      month: utcMonth(at),
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
