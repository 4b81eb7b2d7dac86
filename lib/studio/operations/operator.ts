import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { requireOperations } from './require-operations.ts';

/**
 * Who operates the service, for the studio's incidents: whose rows the actor may decide about. The founders of an account decide about
 * its own. Throws `forbidden`.
 */
export function requireOperator(ctx: Context<AccountActor>): { accountId: string } {
  requireOperations(ctx);
  return { accountId: ctx.actor.accountId };
}
