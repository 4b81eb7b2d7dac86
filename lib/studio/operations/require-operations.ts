import { type AccountActor, hasPermission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';

/** Throws `forbidden` unless the actor may see how the account's generations ran (founders). */
export function requireOperations(ctx: Context<AccountActor>): void {
  if (!hasPermission(ctx.actor, 'operations.read')) throw new ServiceError('forbidden');
}
