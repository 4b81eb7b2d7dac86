import { type AccountActor, hasPermission } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { transaction } from '#lib/db/transaction.ts';
import { requireGrant } from '../access.ts';
import { openBudget } from '../open-wallet.ts';
import { type Budget, readBudget } from './read-budget.ts';

/** An account asks once in this time: the button is no way to fill the operator's mailbox. */
const PAUSE_MS = 24 * 3_600_000;

/** What the operator is told: who asks, and what the account has left. */
export type CreditRequest = Budget & { accountName: string; memberName: string };

/**
 * Asks the operator for more credit or a higher ceiling: once in 24 hours for an account, also when several founders ask at the same moment.
 * Audited `ledger.credit_requested`. The caller mails what it returns to `to`, the active founders of the operator's account. Errors:
 * `forbidden`, `conflict` (this account is the operator's own, or the service has no operator), `rate_limited`.
 */
export async function requestCredit(
  ctx: Context<AccountActor>,
): Promise<{ to: string[]; request: CreditRequest }> {
  requireGrant(ctx);
  if (hasPermission(ctx.actor, 'service.operate'))
    throw new ServiceError('conflict', {
      message: 'Votre compte est celui de l’exploitant\u00a0: accordez-vous le crédit vous-même.',
    });
  const { accountId, memberId } = ctx.actor;
  const now = ctx.clock.now();
  const founders = await ctx.db.member.findMany({
    where: { role: 'FOUNDER', status: 'ACTIVE', account: { isOperator: true } },
    select: { email: true },
  });
  const to = founders.flatMap(({ email }) => email ?? []);
  if (to.length === 0)
    throw new ServiceError('conflict', {
      message: 'Aucun compte n’est celui de l’exploitant de ce service\u00a0: rien n’a été demandé.',
    });
  const request = await transaction(ctx, async (tx) => {
    await openBudget(tx, { accountId });
    const asked = await tx
      .updateTable('Budget')
      .set({ askedAt: now })
      .where('accountId', '=', accountId)
      .where((eb) =>
        eb.or([eb('askedAt', 'is', null), eb('askedAt', '<=', new Date(now.getTime() - PAUSE_MS))]),
      )
      .returning('askedAt')
      .executeTakeFirst();
    if (!asked) {
      const { askedAt } = await tx
        .selectFrom('Budget')
        .select('askedAt')
        .where('accountId', '=', accountId)
        .executeTakeFirstOrThrow();
      const leftMs = PAUSE_MS - (now.getTime() - (askedAt ?? now).getTime());
      throw new ServiceError('rate_limited', {
        message: 'Votre demande est déjà partie\u00a0: une par jour suffit.',
        retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
      });
    }
    await recordAudits(tx, ctx, [
      {
        action: 'ledger.credit_requested',
        accountId,
        subject: { type: 'account', id: accountId },
      },
    ]);
    return tx
      .selectFrom('Member as m')
      .innerJoin('Account as a', 'a.id', 'm.accountId')
      .select(['m.name as memberName', 'a.name as accountName'])
      .where('m.id', '=', memberId)
      .executeTakeFirstOrThrow();
  });
  return { to, request: { ...(await readBudget(ctx)), ...request } };
}
