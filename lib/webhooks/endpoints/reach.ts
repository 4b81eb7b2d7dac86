import type { ExpressionBuilder } from 'kysely';
import { type Actor, hasPermission, type MemberActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { DB } from '#lib/db/types.ts';

/** Which endpoints of the account an actor sees, stops and sends to again, as for keys: a founder all of them, a member their own. */
export function isEndpointInReach(actor: Actor) {
  const own = hasPermission(actor, 'members.manage') ? null : actor.type === 'member' ? actor.memberId : '';
  return (eb: ExpressionBuilder<DB, 'WebhookEndpoint'>) =>
    own === null ? eb.lit(true) : eb('WebhookEndpoint.createdById', '=', own);
}

/** Whoever holds a secret can sign as the service: only its creator receives one. Errors: `conflict`. */
export function requireOwnEndpoint(actor: MemberActor, endpoint: { createdById: string }): void {
  if (endpoint.createdById === actor.memberId) return;
  throw new ServiceError('conflict', {
    message: 'Qui a créé cette adresse en reçoit seul le secret\u00a0: supprimez-la, et créez-en une autre.',
  });
}

/** An endpoint that is unknown, another account's, or out of the member's reach: all answer alike. */
export function endpointNotFound(): ServiceError {
  return new ServiceError('not_found', { message: 'Cette adresse est introuvable.' });
}
