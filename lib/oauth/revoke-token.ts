import type { Context } from '#lib/core/context.ts';
import { sha256 } from '#lib/core/crypto.ts';
import { ACCESS_SHAPE, REFRESH_SHAPE } from './protocol/tokens.ts';
import { revokeGrant } from './revoke-grant.ts';

const FIND = `
SELECT t.id, t.kind::text AS kind, t."grantId" FROM "OAuthToken" t JOIN "OAuthGrant" g ON g.id = t."grantId"
WHERE t."tokenHash" = $1 AND g."clientId" = $2`;
const REVOKE_ACCESS = `UPDATE "OAuthToken" SET "revokedAt" = $2 WHERE id = $1 AND "revokedAt" IS NULL`;

/**
 * Revokes a token of the client (RFC 7009): a refresh token ends its whole grant, an access token ends alone. An unknown
 * token, or another client's, changes nothing and is no error.
 */
export async function revokeToken(ctx: Context, input: { clientId: string; token: string }): Promise<void> {
  if (!ACCESS_SHAPE.test(input.token) && !REFRESH_SHAPE.test(input.token)) return;
  await ctx.sql.transaction(async (tx) => {
    const [token] = await tx.rows<{ id: string; kind: string; grantId: string }>('oauth-find-token', FIND, [
      sha256(input.token),
      input.clientId,
    ]);
    if (token?.kind === 'REFRESH')
      await revokeGrant(tx, ctx, { grantId: token.grantId, revokedBy: 'CLIENT' });
    else if (token) await tx.rows('oauth-revoke-access', REVOKE_ACCESS, [token.id, ctx.clock.now()]);
  });
}
