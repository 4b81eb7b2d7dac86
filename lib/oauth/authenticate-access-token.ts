import type { OAuthActor } from '#lib/core/actor.ts';
import type { Clock } from '#lib/core/clock.ts';
import type { Sql } from '#lib/db/connection.ts';
import {
  authenticateStatement,
  type CredentialKind,
  type Ride,
} from '#lib/identity/authenticate-statement.ts';
import type { RateCounts } from '#lib/identity/rate-limit.ts';
import type { ResourcePath } from './protocol/config.ts';
import { ACCESS_SHAPE } from './protocol/tokens.ts';

// The rate is the grant's, so that a refresh does not give a fresh allowance.
const ACCESS_TOKEN: Omit<CredentialKind, 'params'> = {
  name: 'authenticate-access-token',
  find: `
  SELECT g.id, g."accountId", g."memberId", g."clientId", g."lastUsedAt", t.scopes, m.role::text AS role, m.permissions
  FROM "OAuthToken" t JOIN "OAuthGrant" g ON g.id = t."grantId" JOIN "Member" m ON m.id = g."memberId"
  WHERE t."tokenHash" = $1 AND t.kind = 'ACCESS' AND t."expiresAt" > $2 AND t."revokedAt" IS NULL
    AND g."revokedAt" IS NULL AND g.resource = $6 AND m.status = 'ACTIVE'
`,
  table: 'OAuthGrant',
};

/**
 * Finds who a living access token of this resource acts for, with the role and permissions of this moment, and counts the
 * request, in one round trip, a ride included. Null: unknown, expired, revoked, for another resource, or a member who is not
 * active.
 */
export async function authenticateAccessToken<R = never>(
  deps: { sql: Sql; clock: Clock },
  token: string,
  options: { isWrite: boolean; resource: ResourcePath; ride?: Ride<R> },
): Promise<{ actor: OAuthActor; rate: RateCounts; ridden(): R } | null> {
  if (!ACCESS_SHAPE.test(token)) return null;
  const kind = { ...ACCESS_TOKEN, params: [options.resource] };
  const found = await authenticateStatement(deps, kind, token, options);
  if (!found) return null;
  const { id, clientId, accountId, memberId, role, permissions, scopes } = found.credential;
  return {
    ...found,
    actor: {
      type: 'oauth',
      grantId: id,
      clientId: clientId ?? '',
      accountId,
      memberId,
      role,
      permissions,
      scopes,
    },
  };
}
