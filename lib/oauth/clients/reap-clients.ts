import type { Context } from '#lib/core/context.ts';
import {
  IDLE_CLIENT_LIFETIME_MS,
  MAX_UNUSED_CLIENTS,
  REFRESH_LIFETIME_MS,
  UNUSED_CLIENT_LIFETIME_MS,
} from '../protocol/config.ts';

/** Rows of each kind removed by one run. */
const BATCH = 500;

const REAP_UNUSED = `
DELETE FROM "OAuthClient" c WHERE c.id IN (
  (SELECT id FROM "OAuthClient" WHERE "usedAt" IS NULL AND "createdAt" < $1 ORDER BY "createdAt" LIMIT ${BATCH})
  UNION ALL
  (SELECT id FROM "OAuthClient" WHERE "usedAt" IS NULL ORDER BY "createdAt" DESC OFFSET ${MAX_UNUSED_CLIENTS} LIMIT ${BATCH})
) AND c."usedAt" IS NULL AND NOT EXISTS (SELECT 1 FROM "OAuthGrant" g WHERE g."clientId" = c.id)`;

const REAP_GRANTS = `
DELETE FROM "OAuthGrant" WHERE id IN (
  SELECT id FROM "OAuthGrant" WHERE "expiresAt" < $1 OR "revokedAt" < $1 OR ("activatedAt" IS NULL AND "createdAt" < $2)
  ORDER BY "expiresAt" LIMIT ${BATCH}
)`;

const REAP_TOKENS = `
DELETE FROM "OAuthToken" WHERE id IN (
  SELECT t.id FROM "OAuthToken" t WHERE t."expiresAt" < $1 ORDER BY t."expiresAt" LIMIT ${BATCH}
)`;

const REAP_IDLE = `
DELETE FROM "OAuthClient" WHERE id IN (
  SELECT c.id FROM "OAuthClient" c WHERE c."usedAt" < $1
    AND NOT EXISTS (SELECT 1 FROM "OAuthGrant" g WHERE g."clientId" = c.id)
  ORDER BY c."usedAt" LIMIT ${BATCH}
)`;

/**
 * Forgets clients that nobody used (after a day, or at once beyond 2,000 of them, the oldest first), then what ended long
 * ago: tokens a day after their end, grants after 30 days, clients without any grant after 90. A reaped client is told `invalid_client`.
 */
export async function reapClients(ctx: Context): Promise<void> {
  const now = ctx.clock.now().getTime();
  const before = (ms: number) => new Date(now - ms);
  const dayAgo = before(UNUSED_CLIENT_LIFETIME_MS);
  await ctx.sql.rows('oauth-reap-unused', REAP_UNUSED, [dayAgo]);
  await ctx.sql.rows('oauth-reap-tokens', REAP_TOKENS, [dayAgo]);
  await ctx.sql.rows('oauth-reap-grants', REAP_GRANTS, [before(REFRESH_LIFETIME_MS), dayAgo]);
  await ctx.sql.rows('oauth-reap-idle', REAP_IDLE, [before(IDLE_CLIENT_LIFETIME_MS)]);
}
