import type { OAuthActor } from '#lib/core/actor.ts';
import type { Clock } from '#lib/core/clock.ts';
import { commonSpaces } from '#lib/db/space-rights.ts';
import type { Executor } from '#lib/db/types.ts';
import {
  type AuthenticatedRead,
  type CredentialKind,
  findCredential,
  isClosed,
  openScopes,
} from '#lib/identity/find-credential.ts';
import type { RateCounts } from '#lib/identity/rate/rate-limit.ts';
import type { ResourcePath } from './protocol/config.ts';
import { ACCESS_SHAPE } from './protocol/tokens.ts';

// Requests are counted under the grant, so that a refreshed token does not get a fresh allowance.
const ACCESS_TOKEN: CredentialKind<{ resource: ResourcePath }> = {
  name: 'authenticate-access-token',
  find: (db, p) =>
    db
      .selectFrom('OAuthToken as t')
      .innerJoin('OAuthGrant as g', 'g.id', 't.grantId')
      .innerJoin('Member as m', 'm.id', 'g.memberId')
      .innerJoin('Account as a', 'a.id', 'g.accountId')
      .select([
        'g.id',
        'g.accountId',
        'g.memberId',
        'g.clientId',
        'g.allowanceId',
        commonSpaces('m.role', 'm.spaceRights', 'g.spaceRights').as('spaces'),
        'g.lastUsedAt',
        openScopes('t.scopes'),
        isClosed,
        'm.role',
        'm.permissions',
      ])
      .where('t.tokenHash', '=', p.tokenHash)
      .where('t.kind', '=', 'ACCESS')
      .where('t.expiresAt', '>', p.now)
      .where('t.revokedAt', 'is', null)
      .where('g.revokedAt', 'is', null)
      .where('g.resource', '=', p.resource)
      .where('m.status', '=', 'ACTIVE')
      .where('a.erasingAt', 'is', null),
  table: 'OAuthGrant',
};

/**
 * Finds whom a live access token of this resource acts for, with their current role and permissions, and counts the request, in one round
 * trip, together with the read that the request is for. Null: unknown, expired, revoked, for another resource, or a member who is not active.
 */
export async function authenticateAccessToken<R = never>(
  deps: { kysely: Executor; clock: Clock; accountRequests?: number | undefined },
  token: string,
  options: { isWrite: boolean; resource: ResourcePath; read?: AuthenticatedRead<R> | undefined },
): Promise<{ actor: OAuthActor; rate: RateCounts; answer(): R } | null> {
  if (!ACCESS_SHAPE.test(token)) return null;
  const { resource, ...rest } = options;
  const found = await findCredential(deps, ACCESS_TOKEN, { ...rest, token, params: { resource } });
  if (!found) return null;
  const { id: grantId, clientId, holder } = found.credential;
  return { ...found, actor: { type: 'oauth', grantId, clientId: clientId ?? '', ...holder } };
}
