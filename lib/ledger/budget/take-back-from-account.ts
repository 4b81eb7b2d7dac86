import { actorLabel } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { formatUsd, type Micros } from '#lib/core/money.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import { requireOperator } from '../access.ts';
import { findGivenLine, takeBack } from '../budget-lines.ts';
import { checkedGrant, onceByKey } from '../grant-rules.ts';
import { openBudget } from '../open-wallet.ts';
import { requireAccount, requireAccountLocked } from './require-account.ts';

type TakenBack = { lineId: string; balanceMicros: Micros; replayed: boolean };

/**
 * Takes back credit that was given to an account by mistake, only from what its founders have not shared out; what a member received, holds or
 * spent stays. Writes a line of its own; under an `idempotencyKey` the same request takes once. For the operator's founders and the shell,
 * else `forbidden`. Other errors: `not_found`, `conflict` once the account is being erased, `invalid` naming the field. Audited
 * `ledger.account_taken_back` in that account.
 */
export async function takeBackFromAccount(
  ctx: Context,
  input: { accountId: string; amountMicros: Micros; note?: string; idempotencyKey?: string },
): Promise<TakenBack> {
  requireOperator(ctx);
  const taken = checkedGrant(input);
  const { accountId } = input;
  await requireAccount(ctx, accountId);
  return onceByKey(taken, {
    find: async (idempotencyKey) => {
      const line = await findGivenLine(ctx.kysely, { accountId, idempotencyKey });
      return line && { ...line, amountMicros: -line.amountMicros };
    },
    write: () =>
      transaction(ctx, async (tx): Promise<TakenBack> => {
        const at = ctx.clock.now();
        const lineId = createId('budgetLine', at);
        const { amountMicros, note, idempotencyKey = null } = taken;
        await requireAccountLocked(tx, accountId);
        await openBudget(tx, { accountId });
        const actor = actorLabel(ctx.actor);
        const balanceMicros = await takeBack(tx, {
          id: lineId,
          accountId,
          amountMicros,
          at,
          actor,
          note,
          idempotencyKey,
        });
        if (balanceMicros === null) throw await tooMuch(tx, accountId);
        await recordAudits(tx, ctx, [
          {
            action: 'ledger.account_taken_back',
            accountId,
            subject: { type: 'account', id: accountId },
            data: { lineId, amountMicros: amountMicros.toString() },
          },
        ]);
        return { lineId, balanceMicros, replayed: false };
      }),
    replay: (line) => ({ lineId: line.id, balanceMicros: line.balanceAfterMicros, replayed: true }),
  });
}

/** Read on the transaction's own connection: waiting for a second one could exhaust the pool. */
async function tooMuch(tx: Transaction, accountId: string): Promise<ServiceError> {
  const budget = await tx
    .selectFrom('Budget')
    .select('balanceMicros')
    .where('accountId', '=', accountId)
    .executeTakeFirst();
  const left = formatUsd(budget?.balanceMicros ?? 0n);
  const message = `Ce compte n’a que ${left} à répartir\u00a0: ce que ses membres ont reçu ne se reprend pas.`;
  return new ServiceError('invalid', { message, problems: [{ field: 'amountUsd', message }] });
}
