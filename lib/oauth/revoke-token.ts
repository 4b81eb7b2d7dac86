import type { Context } from '#lib/core/context.ts';
import { sha256 } from '#lib/core/crypto.ts';
import { transaction } from '#lib/db/transaction.ts';
import { type Caller, isRevocableToken } from './require-live-secret.ts';
import { revokeGrant } from './revoke-grant.ts';

/**
 * Revokes a token of the client (RFC 7009): a refresh token ends its whole grant, an access token ends alone. An unknown token, or another
 * client's, changes nothing and is no error. Errors: `invalid_client`, `temporarily_unavailable` (429) for a network that shows too many dead ones.
 */
export async function revokeToken(ctx: Context, input: Caller & { token: string }): Promise<void> {
  if (!(await isRevocableToken(ctx, input, input.token))) return;
  await transaction(ctx, async (tx) => {
    const token = await tx
      .selectFrom('OAuthToken as t')
      .innerJoin('OAuthGrant as g', 'g.id', 't.grantId')
      .select(['t.id', 't.kind', 't.grantId'])
      .where('t.tokenHash', '=', sha256(input.token))
      .where('g.clientId', '=', input.clientId)
      .executeTakeFirst();
    if (token?.kind === 'REFRESH')
      await revokeGrant(tx, ctx, { grantId: token.grantId, revokedBy: 'CLIENT' });
    else if (token)
      await tx
        .updateTable('OAuthToken')
        .set({ revokedAt: ctx.clock.now() })
        .where('id', '=', token.id)
        .where('revokedAt', 'is', null)
        .execute();
  });
}
