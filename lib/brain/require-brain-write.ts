import { type AccountActor, hasPermission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { reaches } from '#lib/db/space-rights.ts';
import { spaceNotFound } from './not-found.ts';

/** Whether the actor may write in this Space: their right, and what they were given of it. */
export function canWriteIn(actor: AccountActor, spaceId: string): boolean {
  return hasPermission(actor, 'brain.write') && reaches(actor, spaceId, 'write');
}

/**
 * Refuses a member who may not write in the Brain (`insufficient_scope`, B-70; `forbidden` in the cockpit), or in this Space, when one is named: one that
 * is out of reach is missing (`not_found`).
 */
export function requireBrainWrite(ctx: Pick<Context<AccountActor>, 'actor'>, spaceId?: string): void {
  if (hasPermission(ctx.actor, 'brain.write')) {
    if (spaceId === undefined || reaches(ctx.actor, spaceId, 'write')) return;
    if (!reaches(ctx.actor, spaceId)) throw spaceNotFound();
    throw new ServiceError(ctx.actor.type === 'member' ? 'forbidden' : 'insufficient_scope', {
      message: 'Cet espace vous est ouvert en lecture seulement.',
    });
  }
  if (ctx.actor.type === 'member') throw new ServiceError('forbidden');
  throw new ServiceError('insufficient_scope', {
    message: 'Le membre derrière ces identifiants n’a pas le droit d’écrire dans le Brain.',
  });
}
