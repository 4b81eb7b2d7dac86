import type { MemberRole, OAuthActor, Permission, Scope } from '#lib/core/actor.ts';
import type { Clock } from '#lib/core/clock.ts';
import { sha256 } from '#lib/core/crypto.ts';
import type { Sql } from '#lib/core/database.ts';
import { countRequestSql, type RateCounts, rateParams } from '#lib/identity/rate-limit.ts';
import type { ResourcePath } from './protocol/config.ts';
import { ACCESS_SHAPE } from './protocol/tokens.ts';

const MINUTE_MS = 60_000;

// The rate is the grant's, so that a refresh does not give a fresh allowance.
const AUTHENTICATE = `
WITH credential AS (
  SELECT g.id, g."accountId", g."memberId", g."clientId", g."lastUsedAt", t.scopes, m.role::text AS role, m.permissions
  FROM "OAuthToken" t JOIN "OAuthGrant" g ON g.id = t."grantId" JOIN "Member" m ON m.id = g."memberId"
  WHERE t."tokenHash" = $1 AND t.kind = 'ACCESS' AND t."expiresAt" > $2 AND t."revokedAt" IS NULL
    AND g."revokedAt" IS NULL AND g.resource = $6 AND m.status = 'ACTIVE'
), used AS (
  UPDATE "OAuthGrant" g SET "lastUsedAt" = $2 FROM credential c
  WHERE g.id = c.id AND (c."lastUsedAt" IS NULL OR c."lastUsedAt" <= $5)
), ${countRequestSql('credential')}
SELECT c.id, c."accountId", c."memberId", c."clientId", c.role, c.permissions, c.scopes, counted.requests, counted.writes,
  set_config('synchronous_commit', 'off', true)
FROM credential c, counted`;

type Row = {
  id: string;
  accountId: string;
  memberId: string;
  clientId: string;
  role: MemberRole;
  permissions: Permission[];
  scopes: Scope[];
  requests: number;
  writes: number;
};

/**
 * Finds who a living access token of this resource acts for, with the role and permissions of this moment, and counts the
 * request, in one round trip. Null: unknown, expired, revoked, for another resource, or a member who is not active.
 */
export async function authenticateAccessToken(
  deps: { sql: Sql; clock: Clock },
  token: string,
  options: { isWrite: boolean; resource: ResourcePath },
): Promise<{ actor: OAuthActor; rate: RateCounts } | null> {
  if (!ACCESS_SHAPE.test(token)) return null;
  const now = deps.clock.now();
  const rate = rateParams(now, options.isWrite);
  const [row] = await deps.sql.rows<Row>('authenticate-access-token', AUTHENTICATE, [
    sha256(token),
    now,
    rate.windowStart,
    rate.writeIncrement,
    new Date(now.getTime() - MINUTE_MS),
    options.resource,
  ]);
  if (!row) return null;
  return {
    actor: {
      type: 'oauth',
      grantId: row.id,
      clientId: row.clientId,
      accountId: row.accountId,
      memberId: row.memberId,
      role: row.role,
      permissions: row.permissions,
      scopes: row.scopes,
    },
    rate: { requests: row.requests, writes: row.writes, resetSeconds: rate.resetSeconds },
  };
}
