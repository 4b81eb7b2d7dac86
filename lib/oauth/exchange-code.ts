import { createHash } from 'node:crypto';
import type { Context } from '#lib/core/context.ts';
import { equalInConstantTime, sha256 } from '#lib/core/crypto.ts';
import type { SqlTransaction } from '#lib/db/connection.ts';
import { readResource } from './check-authorization.ts';
import { issueTokens, type TokenAnswer } from './issue-tokens.ts';
import { OAuthError } from './protocol/errors.ts';
import { CODE_SHAPE, newAccessToken, newRefreshToken } from './protocol/tokens.ts';
import { revokeGrant } from './revoke-grant.ts';

export type ExchangeCodeInput = {
  clientId: string;
  code: string;
  verifier: string;
  redirectUri: string;
  /** As sent, possibly none: then the one of the authorization. */
  resources: readonly string[];
  issuer: string;
};

type CodeRow = {
  id: string;
  grantId: string;
  challenge: string;
  redirectUri: string;
  expiresAt: Date;
  consumedAt: Date | null;
  clientId: string;
  resource: string;
  scopes: string[];
  revokedAt: Date | null;
  memberStatus: string;
};

const LOCK_CODE = `
SELECT c.id, c."grantId", c.challenge, c."redirectUri", c."expiresAt", c."consumedAt", g."clientId", g.resource, g.scopes,
  g."revokedAt", m.status::text AS "memberStatus"
FROM "OAuthCode" c JOIN "OAuthGrant" g ON g.id = c."grantId" JOIN "Member" m ON m.id = g."memberId"
WHERE c."codeHash" = $1 FOR UPDATE OF c`;
const CONSUME = `UPDATE "OAuthCode" SET "consumedAt" = $2 WHERE id = $1`;
const USE_CLIENT = `UPDATE "OAuthClient" SET "usedAt" = $2 WHERE id = $1`;

/**
 * Exchanges an authorization code for tokens, once. A code that comes a second time ends everything it gave
 * (RFC 6749, 4.1.2). A wrong client, redirect or verifier leaves the code to its owner.
 * Errors: `invalid_grant`, `invalid_target`.
 */
export async function exchangeCode(ctx: Context, input: ExchangeCodeInput): Promise<TokenAnswer> {
  if (!CODE_SHAPE.test(input.code)) throw new OAuthError('invalid_grant', 'Ce code est inconnu.');
  // Refusals leave the transaction as values: what a reuse revokes must be kept.
  const outcome = await ctx.sql.transaction(async (tx) => exchange(tx, ctx, input));
  if (outcome instanceof OAuthError) throw outcome;
  return outcome;
}

async function exchange(
  tx: SqlTransaction,
  ctx: Context,
  input: ExchangeCodeInput,
): Promise<TokenAnswer | OAuthError> {
  const now = ctx.clock.now();
  const [code] = await tx.rows<CodeRow>('oauth-lock-code', LOCK_CODE, [sha256(input.code)]);
  if (!code) return new OAuthError('invalid_grant', 'Ce code est inconnu.');
  if (code.consumedAt) {
    await revokeGrant(tx, ctx, { grantId: code.grantId, revokedBy: 'CODE_REUSED' });
    return new OAuthError('invalid_grant', 'Ce code a déjà servi\u00a0: ce qu’il avait donné est révoqué.');
  }
  const fault = faultOf(code, input, now);
  if (fault) return fault;
  await tx.rows('oauth-consume-code', CONSUME, [code.id, now]);
  await tx.rows('oauth-use-client', USE_CLIENT, [code.clientId, now]);
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
  const refuse = (description: string) => new OAuthError('invalid_grant', description);
  if (code.clientId !== input.clientId) return refuse('Ce code a été donné à une autre application.');
  if (code.expiresAt <= now) return refuse('Ce code a expiré.');
  if (code.revokedAt || code.memberStatus !== 'ACTIVE') return refuse('L’accès a été révoqué.');
  if (code.redirectUri !== input.redirectUri)
    return refuse('redirect_uri n’est pas celui de la demande d’autorisation.');
  const challenge = createHash('sha256').update(input.verifier).digest('base64url');
  if (!equalInConstantTime(challenge, code.challenge)) return refuse('code_verifier ne correspond pas.');
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
