import type { ExpressionBuilder } from 'kysely';
import { type Actor, hasPermission } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { DB } from '#lib/db/types.ts';

/** A filter on the keys that an actor may list and revoke: all of the account for a founder and the shell, for a member their own. */
export function keysInReach(actor: Actor): { memberId?: string } {
  if (hasPermission(actor, 'members.manage')) return {};
  if (actor.type !== 'member') throw new ServiceError('forbidden');
  return { memberId: actor.memberId };
}

/**
 * Throws `conflict` unless the actor may receive this member's secret: the member, or the shell. A key acts in its member's name, so a founder
 * can end other members' keys but never obtains one.
 */
export function requireOwnSecret(actor: Actor, input: { memberId: string }): void {
  if (actor.type === 'admin' || (actor.type === 'member' && actor.memberId === input.memberId)) return;
  throw new ServiceError('conflict', {
    message:
      'Une clé agit au nom de son membre, qui seul en reçoit le secret\u00a0: révoquez-la, et il en créera une autre.',
  });
}

/** The same as a condition of a statement on `DeveloperKey`. */
export function isKeyInReach(actor: Actor) {
  const { memberId } = keysInReach(actor);
  return (eb: ExpressionBuilder<DB, 'DeveloperKey'>) =>
    memberId === undefined ? eb.lit(true) : eb('DeveloperKey.memberId', '=', memberId);
}
