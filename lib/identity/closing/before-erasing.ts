import { type AccountActor, type AdminActor, hasPermission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';

export type ErasingContext = Context<AccountActor | AdminActor>;

/**
 * Asked before anything that cannot be undone later: erasing a member, closing an account, exporting all of it. Founders and the shell;
 * the operator's founders for any account. The place for a recent verification of who acts. Errors: `forbidden`.
 */
export async function beforeErasing(ctx: ErasingContext, input: { accountId: string }): Promise<void> {
  const { actor } = ctx;
  const own = 'accountId' in actor && actor.accountId === input.accountId;
  if (actor.type === 'admin' || (own && actor.type === 'member' && hasPermission(actor, 'members.manage')))
    return;
  if (hasPermission(actor, 'service.operate')) return;
  throw new ServiceError('forbidden');
}
