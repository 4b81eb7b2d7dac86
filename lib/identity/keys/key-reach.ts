import type { ExpressionBuilder } from 'kysely';
import { type Actor, hasPermission } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { DB } from '#lib/db/types.ts';

/** Which keys of the account an actor manages: a founder and the shell all of them, a member their own. */
export function keysInReach(actor: Actor): { memberId?: string } {
  if (hasPermission(actor, 'members.manage')) return {};
  if (actor.type !== 'member') throw new ServiceError('forbidden');
  return { memberId: actor.memberId };
}

/** The same as a condition of a statement on `DeveloperKey`. */
export function isKeyInReach(actor: Actor) {
  const { memberId } = keysInReach(actor);
  return (eb: ExpressionBuilder<DB, 'DeveloperKey'>) =>
    memberId === undefined ? eb.lit(true) : eb('DeveloperKey.memberId', '=', memberId);
}
