import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import type { SqlTransaction } from '#lib/db/connection.ts';

export type RevokedBy = 'MEMBER' | 'CLIENT' | 'CODE_REUSED' | 'REFRESH_REUSED';

const REVOKE = `
UPDATE "OAuthGrant" g SET "revokedAt" = $2, "revokedBy" = $3 FROM "OAuthClient" c
WHERE g.id = $1 AND g."revokedAt" IS NULL AND c.id = g."clientId" RETURNING g."accountId", g."clientId", c.name`;

/** Ends a grant, and with it every code and token of it, from the next request on. Ending it twice is harmless. */
export async function revokeGrant(
  tx: SqlTransaction,
  ctx: Context,
  input: { grantId: string; revokedBy: RevokedBy },
): Promise<boolean> {
  const [row] = await tx.rows<{ accountId: string; clientId: string; name: string }>(
    'oauth-revoke-grant',
    REVOKE,
    [input.grantId, ctx.clock.now(), input.revokedBy],
  );
  if (!row) return false;
  await recordAudits(tx, ctx, [
    {
      action: 'oauth.revoked',
      accountId: row.accountId,
      subject: { type: 'oauthGrant', id: input.grantId },
      data: { name: row.name, clientId: row.clientId, reason: input.revokedBy },
    },
  ]);
  return true;
}
