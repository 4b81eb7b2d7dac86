import { type AccountActor, type AdminActor, hasPermission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';

export type ErasingContext = Context<AccountActor | AdminActor>;

/**
 * Checks the right to what cannot be undone: erasing a member, closing an account, exporting all of it. Founders and the shell have it; the
 * operator's founders for any account. Errors: `forbidden`.
 */
export async function requireErasureRights(ctx: ErasingContext, input: { accountId: string }): Promise<void> {
  const { actor } = ctx;
  const own = 'accountId' in actor && actor.accountId === input.accountId;
  if (actor.type === 'admin' || (own && actor.type === 'member' && hasPermission(actor, 'members.manage')))
    return;
  if (hasPermission(actor, 'service.operate')) return;
  throw new ServiceError('forbidden');
}
