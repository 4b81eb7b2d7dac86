import type { Context } from '#lib/core/context.ts';
import { sha256 } from '#lib/core/crypto.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { Transaction } from '#lib/db/types.ts';
import { namedScopes } from './check-authorization.ts';
import { targetFault } from './exchange-code.ts';
import { issueTokens, type TokenAnswer } from './issue-tokens.ts';
import { REFRESH_GRACE_MS } from './protocol/config.ts';
import { OAuthError } from './protocol/errors.ts';
import { successorsOf } from './protocol/tokens.ts';
import { type Caller, refusedGrant, requireLiveSecret } from './require-live-secret.ts';
import { revokeGrant } from './revoke-grant.ts';

type RefreshTokensInput = Caller & {
  refreshToken: string;
  /** As sent; null for the scopes of the grant. */
  scope: string | null;
  resources: readonly string[];
  issuer: string;
  /** Secret that successors are derived with. */
  secret: string;
};

const lockToken = prepared('oauth-lock-refresh', (db, p: Params<{ hash: Uint8Array }>) =>
  db
    .selectFrom('OAuthToken as t')
    .innerJoin('OAuthGrant as g', 'g.id', 't.grantId')
    .innerJoin('Member as m', 'm.id', 'g.memberId')
    .select(['t.id', 't.grantId', 't.expiresAt', 't.usedAt'])
    .select(['g.clientId', 'g.resource', 'g.scopes', 'g.revokedAt', 'm.status as memberStatus'])
    .where('t.tokenHash', '=', p.hash)
    .where('t.kind', '=', 'REFRESH')
    .forUpdate('t'),
);

/**
 * Exchanges a refresh token for its successors. Within 60 s of its first use the same client gets the same successors again; used later, it
 * counts as stolen, and the whole grant is revoked. Errors: `invalid_client`, `invalid_grant`, `invalid_scope`, `invalid_target`,
 * `temporarily_unavailable` (429).
 */
export async function refreshTokens(ctx: Context, input: RefreshTokensInput): Promise<TokenAnswer> {
  await requireLiveSecret(ctx, input, { kind: 'refresh', secret: input.refreshToken });
  const outcome = await transaction(ctx, (tx) => refresh(tx, ctx, input));
  if (outcome instanceof OAuthError) throw outcome;
  return outcome;
}

async function refresh(
  tx: Transaction,
  ctx: Context,
  input: RefreshTokensInput,
): Promise<TokenAnswer | OAuthError> {
  const now = ctx.clock.now();
  const token = await lockToken.first(tx, { hash: sha256(input.refreshToken) });
  if (!token) return refusedGrant('refresh', 'unknown');
  if (token.clientId !== input.clientId) return refusedGrant('refresh', 'client');
  if (token.revokedAt || token.memberStatus !== 'ACTIVE') return refusedGrant('refresh', 'revoked');
  if (token.usedAt && now.getTime() - token.usedAt.getTime() > REFRESH_GRACE_MS) {
    await revokeGrant(tx, ctx, { grantId: token.grantId, revokedBy: 'REFRESH_REUSED' });
    const message = 'Ce jeton de renouvellement a déjà servi\u00a0: l’accès est révoqué.';
    return new OAuthError('invalid_grant', message);
  }
  if (token.expiresAt <= now) return refusedGrant('refresh', 'expired');
  const scopes = narrowed(input.scope, token.scopes);
  if (scopes instanceof OAuthError) return scopes;
  const fault = targetFault(token.resource, input);
  if (fault) return fault;
  if (!token.usedAt)
    await tx.updateTable('OAuthToken').set({ usedAt: now }).where('id', '=', token.id).execute();
  return issueTokens(tx, {
    grantId: token.grantId,
    grantScopes: token.scopes,
    scopes,
    ...successorsOf(input.refreshToken, scopes, input.secret),
    now,
  });
}

function narrowed(text: string | null, granted: readonly string[]): readonly string[] | OAuthError {
  try {
    const asked = namedScopes(text);
    // What names no scope that we know of leaves those that were granted (RFC 6749, 6).
    if (asked.length === 0) return granted;
    if (asked.every((scope) => granted.includes(scope))) return asked;
  } catch (error) {
    if (error instanceof OAuthError) return error;
    throw error;
  }
  return new OAuthError('invalid_scope', 'Un droit demandé n’a pas été accordé.');
}
