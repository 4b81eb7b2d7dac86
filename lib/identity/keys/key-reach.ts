import type { ExpressionBuilder } from 'kysely';
import { type Actor, hasPermission } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { DB } from '#lib/db/types.ts';

/** Which keys of the account an actor sees and ends: a founder and the shell all of them, a member their own. */
export function keysInReach(actor: Actor): { memberId?: string } {
  if (hasPermission(actor, 'members.manage')) return {};
  if (actor.type !== 'member') throw new ServiceError('forbidden');
  return { memberId: actor.memberId };
}

/**
 * Throws `conflict` unless the actor may receive a secret of this member: the member alone, and the shell. Whoever holds a key acts
 * under its member's name, so a founder ends other members' keys and never holds one.
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
