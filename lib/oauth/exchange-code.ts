import type { Context } from '#lib/core/context.ts';
import { equalInConstantTime, sha256 } from '#lib/core/crypto.ts';
import { type Params, type PreparedRow, prepared } from '#lib/db/prepared.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { Transaction } from '#lib/db/types.ts';
import { readResource } from './check-authorization.ts';
import { issueTokens, type TokenAnswer } from './issue-tokens.ts';
import { OAuthError } from './protocol/errors.ts';
import { newAccessToken, newRefreshToken } from './protocol/tokens.ts';
import { type Caller, challengeOf, refusedGrant, requireLiveSecret } from './require-live-secret.ts';
import { revokeGrant } from './revoke-grant.ts';

type ExchangeCodeInput = Caller & {
  code: string;
  verifier: string;
  /** As sent; null: left out, which OAuth 2.1 (4.1.3) allows because PKCE binds the code. When sent, it is compared. */
  redirectUri: string | null;
  /** As sent; none: the resource of the authorization. */
  resources: readonly string[];
  issuer: string;
};

const lockCode = prepared('oauth-lock-code', (db, p: Params<{ hash: Uint8Array }>) =>
  db
    .selectFrom('OAuthCode as c')
    .innerJoin('OAuthGrant as g', 'g.id', 'c.grantId')
    .innerJoin('Member as m', 'm.id', 'g.memberId')
    .select(['c.id', 'c.grantId', 'c.challenge', 'c.redirectUri', 'c.expiresAt', 'c.consumedAt'])
    .select(['g.clientId', 'g.resource', 'g.scopes', 'g.revokedAt', 'm.status as memberStatus'])
    .where('c.codeHash', '=', p.hash)
    .forUpdate('c'),
);

type CodeRow = PreparedRow<typeof lockCode>;

/**
 * Exchanges an authorization code for tokens, once. A code used a second time revokes everything issued from it (RFC 6749, 4.1.2). A wrong
 * client, redirect or verifier leaves the code usable by its owner. Errors: `invalid_client`, `invalid_grant`, `invalid_target`,
 * `temporarily_unavailable` (429).
 */
export async function exchangeCode(ctx: Context, input: ExchangeCodeInput): Promise<TokenAnswer> {
  const { code, verifier } = input;
  await requireLiveSecret(ctx, input, { kind: 'code', secret: code, verifier });
  // Refusals leave the transaction as values, not errors: what a reuse revokes must be committed.
  const outcome = await transaction(ctx, (tx) => exchange(tx, ctx, input));
  if (outcome instanceof OAuthError) throw outcome;
  return outcome;
}

async function exchange(
  tx: Transaction,
  ctx: Context,
  input: ExchangeCodeInput,
): Promise<TokenAnswer | OAuthError> {
  const now = ctx.clock.now();
  const code = await lockCode.first(tx, { hash: sha256(input.code) });
  if (!code) return refusedGrant('code', 'unknown');
  if (code.consumedAt) {
    await revokeGrant(tx, ctx, { grantId: code.grantId, revokedBy: 'CODE_REUSED' });
    return new OAuthError('invalid_grant', 'Ce code a déjà servi\u00a0: ce qu’il avait donné est révoqué.');
  }
  const fault = faultOf(code, input, now);
  if (fault) return fault;
  await tx.updateTable('OAuthCode').set({ consumedAt: now }).where('id', '=', code.id).execute();
  await tx.updateTable('OAuthClient').set({ usedAt: now }).where('id', '=', code.clientId).execute();
  return issueTokens(tx, {
    grantId: code.grantId,
    grantScopes: code.scopes,
    scopes: code.scopes,
    access: newAccessToken(),
    refresh: newRefreshToken(),
    now,
  });
}

function faultOf(code: CodeRow, input: ExchangeCodeInput, now: Date): OAuthError | null {
  if (code.clientId !== input.clientId) return refusedGrant('code', 'client');
  if (code.expiresAt <= now) return refusedGrant('code', 'expired');
  if (code.revokedAt || code.memberStatus !== 'ACTIVE') return refusedGrant('code', 'revoked');
  if (input.redirectUri !== null && code.redirectUri !== input.redirectUri)
    return new OAuthError('invalid_grant', 'redirect_uri n’est pas celui de la demande d’autorisation.');
  if (!equalInConstantTime(challengeOf(input.verifier), code.challenge))
    return refusedGrant('code', 'verifier');
  return targetFault(code.resource, input);
}

/** Why the resource named at the token endpoint is not the one that was authorized. */
export function targetFault(
  bound: string,
  input: { resources: readonly string[]; issuer: string },
): OAuthError | null {
  if (input.resources.length === 0) return null;
  try {
    if (readResource(input.resources, input.issuer) === bound) return null;
  } catch (error) {
    if (error instanceof OAuthError) return error;
    throw error;
  }
  return new OAuthError('invalid_target', 'La ressource n’est pas celle qui a été autorisée.');
}
