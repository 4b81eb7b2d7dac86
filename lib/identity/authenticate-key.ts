import type { KeyActor, MemberRole, Permission, Scope } from '#lib/core/actor.ts';
import type { Clock } from '#lib/core/clock.ts';
import { sha256 } from '#lib/core/crypto.ts';
import type { Sql } from '#lib/core/database.ts';
import { KEY_SHAPE } from './developer-keys.ts';
import { countRequestSql, type RateCounts, rateParams } from './rate-limit.ts';

const MINUTE_MS = 60_000;

type KeyRow = {
  id: string;
  accountId: string;
  memberId: string;
  role: MemberRole;
  permissions: Permission[];
  scopes: Scope[];
  requests: number;
  writes: number;
};

const AUTHENTICATE_KEY = `
WITH credential AS (
  SELECT k.id, k."accountId", k."memberId", k.scopes, k."lastUsedAt", m.role::text AS role, m.permissions
  FROM "DeveloperKey" k JOIN "Member" m ON m.id = k."memberId"
  WHERE k."tokenHash" = $1 AND k."revokedAt" IS NULL AND (k."expiresAt" IS NULL OR k."expiresAt" > $2)
    AND m.status = 'ACTIVE'
), used AS (
  UPDATE "DeveloperKey" k SET "lastUsedAt" = $2 FROM credential c
  WHERE k.id = c.id AND (c."lastUsedAt" IS NULL OR c."lastUsedAt" <= $5)
), ${countRequestSql('credential')}
SELECT c.id, c."accountId", c."memberId", c.role, c.permissions, c.scopes, counted.requests, counted.writes,
  set_config('synchronous_commit', 'off', true)
FROM credential c, counted`;

/**
 * Finds the living key behind a bearer token and counts the request against its rate limit, in one round trip.
 * Null: unknown, expired or revoked key, or a member who is not active.
 */
export async function authenticateKey(
  deps: { sql: Sql; clock: Clock },
  token: string,
  options: { isWrite: boolean },
): Promise<{ actor: KeyActor; rate: RateCounts } | null> {
  if (!KEY_SHAPE.test(token)) return null;
  const now = deps.clock.now();
  const rate = rateParams(now, options.isWrite);
  const [row] = await deps.sql.rows<KeyRow>('authenticate-key', AUTHENTICATE_KEY, [
    sha256(token),
    now,
    rate.windowStart,
    rate.writeIncrement,
    new Date(now.getTime() - MINUTE_MS),
  ]);
  if (!row) return null;
  return {
    actor: {
      type: 'key',
      keyId: row.id,
      accountId: row.accountId,
      memberId: row.memberId,
      role: row.role,
      permissions: row.permissions,
      scopes: row.scopes,
    },
    rate: { requests: row.requests, writes: row.writes, resetSeconds: rate.resetSeconds },
  };
}
