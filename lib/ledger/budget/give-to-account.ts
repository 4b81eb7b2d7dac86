import { actorLabel } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import type { Micros } from '#lib/core/money.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import type { Executor } from '#lib/db/types.ts';
import { requireOperator } from '../access.ts';
import { findGivenLine, giveToBudget } from '../budget-lines.ts';
import { checkedGrant, onceByKey } from '../grant-rules.ts';
import { openBudget } from '../open-wallet.ts';

type Given = {
  lineId: string;
  /** What the account then has to share out. */
  balanceMicros: Micros;
  /** The same request was made before, under its key: nothing was given now. */
  replayed: boolean;
};

/**
 * Gives an account credit that its founders share out among its members. Under an `idempotencyKey` the same request gives once; another
 * amount or note under it is `idempotency_conflict`. The operator's founders and the shell; else `forbidden`. Other errors: `verification_required`, `not_found`, `conflict` once the account is being erased,
 * `invalid` naming the field. Audited `ledger.account_granted` in the account that receives.
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
        await holdAccount(tx, accountId);
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

const accountOf = (on: Executor, accountId: string) =>
  on.selectFrom('Account').select(['erasingAt', 'erasedAt']).where('id', '=', accountId);

/** Throws `not_found` unless there is such an account, and `conflict` once its erasure began: what stays of it are figures that nothing moves. */
export async function requireAccount({ kysely }: Pick<Context, 'kysely'>, accountId: string): Promise<void> {
  refuseErased(await accountOf(kysely, accountId).executeTakeFirst());
}

/** The same in the transaction that writes: the night that begins to erase it meanwhile waits, or was first. */
export async function holdAccount(tx: Transaction, accountId: string): Promise<void> {
  refuseErased(await accountOf(tx, accountId).forShare().executeTakeFirst());
}

function refuseErased(account: { erasingAt: Date | null; erasedAt: Date | null } | undefined): void {
  if (!account) throw new ServiceError('not_found', { message: 'Ce compte est introuvable.' });
  if (!account.erasingAt) return;
  const what = account.erasedAt ? 'Ce compte est effacé' : 'L’effacement de ce compte a commencé';
  throw new ServiceError('conflict', {
    message: `${what}\u00a0: son crédit et son plafond ne changent plus.`,
  });
}
