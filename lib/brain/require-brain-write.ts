import { type AccountActor, hasPermission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';

/** Refuses a member who may not write in the Brain (`insufficient_scope`, B-70; `forbidden` in the cockpit). */
export function requireBrainWrite(ctx: Pick<Context<AccountActor>, 'actor'>): void {
  if (hasPermission(ctx.actor, 'brain.write')) return;
  if (ctx.actor.type === 'member') throw new ServiceError('forbidden');
  throw new ServiceError('insufficient_scope', {
    message: 'Le membre derrière ces identifiants n’a pas le droit d’écrire dans le Brain.',
  });
}
