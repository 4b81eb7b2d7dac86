import { type AccountActor, hasPermission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';

/** Throws `forbidden` unless the actor may see how the whole service runs, and decide about every account's rows (the operator's founders). */
export function requireOperator(ctx: Context<AccountActor>): void {
  if (!hasPermission(ctx.actor, 'service.operate')) throw new ServiceError('forbidden');
}
