import { createId } from '#lib/core/ids.ts';
import type { SqlTransaction } from '#lib/db/connection.ts';
import { ACCESS_LIFETIME_MS, REFRESH_LIFETIME_MS } from './protocol/config.ts';
import type { FreshSecret } from './protocol/tokens.ts';

/** A successful token answer (RFC 6749, 5.1). */
export type TokenAnswer = {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  refresh_token: string;
  scope: string;
};

// Another request of the same grace may have written them already: the hash is the identity.
const INSERT = `
INSERT INTO "OAuthToken" (id, "grantId", kind, "tokenHash", scopes, "createdAt", "expiresAt")
VALUES ($1, $3, 'ACCESS', $4, $5, $8, $9), ($2, $3, 'REFRESH', $6, $7, $8, $10)
ON CONFLICT ("tokenHash") DO NOTHING`;
const EXTEND = `
UPDATE "OAuthGrant" SET "activatedAt" = COALESCE("activatedAt", $2), "expiresAt" = $3 WHERE id = $1`;
const EXPIRY = `SELECT "expiresAt" FROM "OAuthToken" WHERE "tokenHash" = $1`;

/** Writes an access and a refresh token of a grant, unless they are written already, and returns the answer. */
export async function issueTokens(
  tx: SqlTransaction,
  input: {
    grantId: string;
    grantScopes: readonly string[];
    scopes: readonly string[];
    access: FreshSecret;
    refresh: FreshSecret;
    now: Date;
  },
): Promise<TokenAnswer> {
  const { grantId, grantScopes, scopes, access, refresh, now } = input;
  const refreshEnd = new Date(now.getTime() + REFRESH_LIFETIME_MS);
  await tx.rows('oauth-insert-tokens', INSERT, [
    createId('oauthToken', now),
    createId('oauthToken', now),
    grantId,
    access.hash,
    scopes,
    refresh.hash,
    grantScopes,
    now,
    new Date(now.getTime() + ACCESS_LIFETIME_MS),
    refreshEnd,
  ]);
  await tx.rows('oauth-extend-grant', EXTEND, [grantId, now, refreshEnd]);
  const [written] = await tx.rows<{ expiresAt: Date }>('oauth-token-expiry', EXPIRY, [access.hash]);
  const end = written?.expiresAt.getTime() ?? now.getTime();
  return {
    access_token: access.secret,
    token_type: 'Bearer',
    expires_in: Math.max(0, Math.round((end - now.getTime()) / 1000)),
    refresh_token: refresh.secret,
    scope: scopes.join(' '),
  };
}
