import { createId } from '#lib/core/ids.ts';
import type { Transaction } from '#lib/db/types.ts';
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

/**
 * Writes an access and a refresh token of a grant, unless they are written already, and returns the answer. The grant is activated by its
 * first tokens, and ends 30 days after its latest ones.
 */
export async function issueTokens(
  tx: Transaction,
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
  const token = { grantId, createdAt: now };
  await tx
    .insertInto('OAuthToken')
    .values([
      {
        ...token,
        id: createId('oauthToken', now),
        kind: 'ACCESS',
        tokenHash: access.hash,
        scopes: [...scopes],
        expiresAt: new Date(now.getTime() + ACCESS_LIFETIME_MS),
      },
      {
        ...token,
        id: createId('oauthToken', now),
        kind: 'REFRESH',
        tokenHash: refresh.hash,
        scopes: [...grantScopes],
        expiresAt: refreshEnd,
      },
    ])
    // A concurrent refresh within the grace period may have written them already: the same tokens, so the same hashes.
    .onConflict((conflict) => conflict.column('tokenHash').doNothing())
    .execute();
  await tx
    .updateTable('OAuthGrant')
    .set((eb) => ({ activatedAt: eb.fn.coalesce('activatedAt', eb.val(now)), expiresAt: refreshEnd }))
    .where('id', '=', grantId)
    .execute();
  const written = await tx
    .selectFrom('OAuthToken')
    .select('expiresAt')
    .where('tokenHash', '=', access.hash)
    .executeTakeFirst();
  const end = written?.expiresAt.getTime() ?? now.getTime();
  return {
    access_token: access.secret,
    token_type: 'Bearer',
    expires_in: Math.max(0, Math.round((end - now.getTime()) / 1000)),
    refresh_token: refresh.secret,
    scope: scopes.join(' '),
  };
}
