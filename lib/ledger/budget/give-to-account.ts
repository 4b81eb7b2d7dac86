import { actorLabel } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import type { Micros } from '#lib/core/money.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import { transaction } from '#lib/db/transaction.ts';
import { requireOperator } from '../access.ts';
import { findGivenLine, giveToBudget } from '../budget-lines.ts';
import { checkedGrant, onceByKey } from '../grant-rules.ts';
import { openBudget } from '../open-wallet.ts';
import { requireAccount, requireAccountLocked } from './require-account.ts';

type Given = {
  lineId: string;
  /** What the account then has to share out. */
  balanceMicros: Micros;
  /** The same request was made before, under its key: nothing was given now. */
  replayed: boolean;
};

/**
 * Gives an account credit that its founders share out among its members. Under an `idempotencyKey` the same request gives once; another amount
 * or note under it is `idempotency_conflict`. For the operator's founders and the shell, else `forbidden`. Other errors:
 * `verification_required`, `not_found`, `conflict` once the account is being erased, `invalid` naming the field. Audited
 * `ledger.account_granted` in the account that receives.
 */
export async function giveToAccount(
  ctx: Context,
  input: { accountId: string; amountMicros: Micros; note?: string; idempotencyKey?: string },
): Promise<Given> {
  requireOperator(ctx);
  const given = checkedGrant(input);
  requireRecentVerification(ctx);
  const { accountId } = input;
  await requireAccount(ctx, accountId);
  return onceByKey(given, {
    find: (idempotencyKey) => findGivenLine(ctx.kysely, { accountId, idempotencyKey }),
    write: async (): Promise<Given> => {
      const at = ctx.clock.now();
      const lineId = createId('budgetLine', at);
      const { amountMicros, note, idempotencyKey = null } = given;
      const balanceMicros = await transaction(ctx, async (tx) => {
        await requireAccountLocked(tx, accountId);
        await openBudget(tx, { accountId });
        await recordAudits(tx, ctx, [
          {
            action: 'ledger.account_granted',
            accountId,
            subject: { type: 'account', id: accountId },
            data: { lineId, amountMicros: amountMicros.toString() },
          },
        ]);
        const actor = actorLabel(ctx.actor);
        return giveToBudget(tx, { id: lineId, accountId, amountMicros, at, actor, note, idempotencyKey });
      });
      return { lineId, balanceMicros, replayed: false };
    },
    replay: (line) => ({ lineId: line.id, balanceMicros: line.balanceAfterMicros, replayed: true }),
  });
}
