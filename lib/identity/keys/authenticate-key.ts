import type { KeyActor } from '#lib/core/actor.ts';
import type { Clock } from '#lib/core/clock.ts';
import type { Sql } from '#lib/db/connection.ts';
import { authenticateStatement, type CredentialKind, type Ride } from '../authenticate-statement.ts';
import type { RateCounts } from '../rate-limit.ts';
import { KEY_SHAPE } from './developer-keys.ts';

const KEY: CredentialKind = {
  name: 'authenticate-key',
  find: `
  SELECT k.id, k."accountId", k."memberId", NULL::text AS "clientId", k.scopes, k."lastUsedAt", m.role::text AS role, m.permissions
  FROM "DeveloperKey" k JOIN "Member" m ON m.id = k."memberId"
  WHERE k."tokenHash" = $1 AND k."revokedAt" IS NULL AND (k."expiresAt" IS NULL OR k."expiresAt" > $2)
    AND m.status = 'ACTIVE'
`,
  table: 'DeveloperKey',
  params: [],
};

/**
 * Finds the living key behind a bearer token and counts the request against its rate limit, in one round trip, a ride included.
 * Null: unknown, expired or revoked key, or a member who is not active.
 */
export async function authenticateKey<R = never>(
  deps: { sql: Sql; clock: Clock },
  token: string,
  options: { isWrite: boolean; ride?: Ride<R> },
): Promise<{ actor: KeyActor; rate: RateCounts; ridden(): R } | null> {
  if (!KEY_SHAPE.test(token)) return null;
  const found = await authenticateStatement(deps, KEY, token, options);
  if (!found) return null;
  const { id, accountId, memberId, role, permissions, scopes } = found.credential;
  return { ...found, actor: { type: 'key', keyId: id, accountId, memberId, role, permissions, scopes } };
}
