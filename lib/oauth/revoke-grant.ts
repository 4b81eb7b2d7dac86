import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import type { Transaction } from '#lib/db/types.ts';

type RevokedBy = 'MEMBER' | 'CLIENT' | 'CODE_REUSED' | 'REFRESH_REUSED';

/** Ends a grant, and with it every code and token of it, from the next request on. Ending it twice is harmless. */
export async function revokeGrant(
  tx: Transaction,
  ctx: Context,
  input: { grantId: string; revokedBy: RevokedBy },
): Promise<boolean> {
  const row = await tx
    .updateTable('OAuthGrant')
    .from('OAuthClient')
    .set({ revokedAt: ctx.clock.now(), revokedBy: input.revokedBy })
    .where('OAuthGrant.id', '=', input.grantId)
    .where('OAuthGrant.revokedAt', 'is', null)
    .whereRef('OAuthClient.id', '=', 'OAuthGrant.clientId')
    .returning(['OAuthGrant.accountId', 'OAuthGrant.clientId', 'OAuthClient.name'])
    .executeTakeFirst();
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
