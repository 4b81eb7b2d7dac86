import { type AccountActor, hasPermission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';

/** Whether the account is closed and since when, for its founders. Errors: `forbidden`. */
export async function readClosing(
  ctx: Context<AccountActor>,
): Promise<{ name: string; isOperator: boolean; closedAt: Date | null }> {
  if (!hasPermission(ctx.actor, 'members.manage')) throw new ServiceError('forbidden');
  return ctx.db.account.findUniqueOrThrow({
    where: { id: ctx.actor.accountId },
    select: { name: true, isOperator: true, closedAt: true },
  });
}
