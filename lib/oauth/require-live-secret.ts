import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Context } from '#lib/core/context.ts';
import { sha256 } from '#lib/core/crypto.ts';
import { compileOnly } from '#lib/db/compile-only.ts';
import { type Params, type Prepared, prepared } from '#lib/db/prepared.ts';
import { minuteOf } from '#lib/identity/rate/rate-limit.ts';
import { isClientId, unknownClient } from './clients/find-client.ts';
import { DEAD_TOKENS_PER_MINUTE, REFRESH_GRACE_MS, TOKENS_PER_MINUTE } from './protocol/config.ts';
import { OAuthError, tooManyRequests } from './protocol/errors.ts';

/** Why a code or token is refused. */
type Fault = 'unknown' | 'client' | 'verifier' | 'revoked' | 'expired';
/**
 * The state of a code or token: a fault; `lives`: usable; `ends`: the request ends its grant (a reuse), or is a revocation with something to
 * revoke.
 */
type State = Fault | 'lives' | 'ends';
type Kind = 'code' | 'refresh';

type Asked = {
  clientId: string;
  hash: Uint8Array;
  /** Of a code alone. */
  challenge?: string;
  now: Date;
  /** A refresh token first used before this instant may not be used again. */
  graceStart: Date;
  place: string;
  windowStart: Date;
};
type Judged = { knowsClient: boolean; state: State; requests: number };

const codes = statementOf(
  'oauth-count-code',
  (p) => sql`
  SELECT c."grantId", CASE WHEN g."revokedAt" IS NOT NULL THEN 'revoked' WHEN c."consumedAt" IS NOT NULL THEN 'ends'
    WHEN g."clientId" <> ${p.clientId} THEN 'client' WHEN c.challenge <> ${p.challenge} THEN 'verifier'
    WHEN m.status <> 'ACTIVE' THEN 'revoked' WHEN c."expiresAt" <= ${p.now} THEN 'expired' ELSE 'lives' END AS state
  FROM "OAuthCode" AS c JOIN "OAuthGrant" AS g ON g.id = c."grantId" JOIN "Member" AS m ON m.id = g."memberId"
  WHERE c."codeHash" = ${p.hash}`,
);

const refreshTokens = statementOf(
  'oauth-count-refresh',
  (p) => sql`
  SELECT t."grantId", CASE WHEN g."clientId" <> ${p.clientId} THEN 'client'
    WHEN g."revokedAt" IS NOT NULL OR m.status <> 'ACTIVE' THEN 'revoked'
    WHEN t."usedAt" < ${p.graceStart} THEN 'ends' WHEN t."expiresAt" <= ${p.now} THEN 'expired' ELSE 'lives' END AS state
  FROM "OAuthToken" AS t JOIN "OAuthGrant" AS g ON g.id = t."grantId" JOIN "Member" AS m ON m.id = g."memberId"
  WHERE t."tokenHash" = ${p.hash} AND t.kind = 'REFRESH'`,
);

const revocations = statementOf(
  'oauth-count-revocation',
  (p) => sql`
  SELECT t."grantId", CASE WHEN g."clientId" <> ${p.clientId} THEN 'client'
    WHEN g."revokedAt" IS NOT NULL OR t."revokedAt" IS NOT NULL THEN 'revoked'
    WHEN t.kind = 'ACCESS' AND t."expiresAt" <= ${p.now} THEN 'expired' ELSE 'ends' END AS state
  FROM "OAuthToken" AS t JOIN "OAuthGrant" AS g ON g.id = t."grantId"
  WHERE t."tokenHash" = ${p.hash}`,
);

/**
 * One statement that finds the secret (at most one row: its grant and state) and counts the request, under its grant when it lives, else under
 * its network. Requests in state `ends` are not counted: a thief could otherwise block the revocation by using up the limit. It locks nothing
 * but its counter, with asynchronous commit: all requests of a network wait for that row, on connections that others need.
 */
function statementOf(
  label: string,
  find: (p: Params<Asked>) => RawBuilder<unknown>,
): Prepared<Asked, Judged> {
  return prepared(label, (_, p: Params<Asked>) => {
    const text = sql<Judged>`WITH shown AS (${find(p)}),
judged AS (
  SELECT s."grantId", coalesce(s.state, 'unknown') AS state
  FROM (SELECT 1) AS one LEFT JOIN shown AS s ON true),
counted AS (
  INSERT INTO "RateLimitWindow" AS w (key, "startsAt", requests, writes)
  SELECT CASE j.state WHEN 'lives' THEN 'oauth-grant:' || j."grantId" ELSE ${p.place}::text END, ${p.windowStart}::timestamptz, 1, 0
  FROM judged AS j WHERE j.state <> 'ends'
  ON CONFLICT (key, "startsAt") DO UPDATE SET requests = w.requests + 1
  RETURNING requests)
SELECT j.state, coalesce((SELECT requests FROM counted), 0) AS requests,
  EXISTS (SELECT FROM "OAuthClient" AS a WHERE a.id = ${p.clientId}) AS "knowsClient",
  set_config('synchronous_commit', 'off', true) AS commit
FROM judged AS j`;
    return { compile: () => text.compile(compileOnly) };
  });
}

/** The network that a client's request comes from, and the client that it claims to be. */
export type Caller = {
  clientId: string;
  /** A name that tells nothing of the address: the route hashes it (`subscriptionName`). */
  network: string;
};

/** The S256 challenge of a PKCE verifier. */
export function challengeOf(verifier: string): string {
  return createHash('sha256').update(verifier).digest('base64url');
}

/**
 * Passes a usable code (with its verifier) or refresh token, up to its grant's rate, and a reused one, which will end its grant. Any other
 * secret costs one statement, and is counted for its network alone: invalid requests of strangers never block a client with a live secret,
 * even on the same network. Errors: `invalid_client`, `invalid_grant`, `temporarily_unavailable` (429, with `Retry-After`).
 */
export async function requireLiveSecret(
  ctx: Context,
  caller: Caller,
  shown: { kind: 'code'; secret: string; verifier: string } | { kind: 'refresh'; secret: string },
): Promise<void> {
  const state = await judge(ctx, caller, (asked) => {
    const common = { ...asked, hash: sha256(shown.secret) };
    return shown.kind === 'code'
      ? codes.first(ctx.kysely, { ...common, challenge: challengeOf(shown.verifier) })
      : refreshTokens.first(ctx.kysely, common);
  });
  if (state !== 'lives' && state !== 'ends') throw refusedGrant(shown.kind, state);
}

/**
 * Whether a token can still be revoked; such a request is never rate-limited. Errors: `invalid_client`, and `temporarily_unavailable` (429) as
 * `requireLiveSecret`.
 */
export async function isRevocableToken(ctx: Context, caller: Caller, token: string): Promise<boolean> {
  const state = await judge(ctx, caller, (asked) =>
    revocations.first(ctx.kysely, { ...asked, hash: sha256(token) }),
  );
  return state === 'ends';
}

async function judge(
  ctx: Context,
  { clientId, network }: Caller,
  ask: (asked: Omit<Asked, 'hash'>) => Promise<Judged | undefined>,
): Promise<State> {
  if (!isClientId(clientId)) throw unknownClient();
  const now = ctx.clock.now();
  const { windowStart, resetSeconds } = minuteOf(now);
  const graceStart = new Date(now.getTime() - REFRESH_GRACE_MS);
  const nothing: Judged = { knowsClient: false, state: 'unknown', requests: 0 };
  const { knowsClient, state, requests } =
    (await ask({ clientId, now, graceStart, place: `oauth-dead:${network}`, windowStart })) ?? nothing;
  if (requests > (state === 'lives' ? TOKENS_PER_MINUTE : DEAD_TOKENS_PER_MINUTE))
    throw tooManyRequests(resetSeconds);
  if (!knowsClient) throw unknownClient();
  return state;
}

const COMMON = { verifier: 'code_verifier ne correspond pas.', revoked: 'L’accès a été révoqué.' };
const REFUSALS: Record<Kind, Record<Fault, string>> = {
  code: {
    ...COMMON,
    unknown: 'Ce code est inconnu.',
    client: 'Ce code a été donné à une autre application.',
    expired: 'Ce code a expiré.',
  },
  refresh: {
    ...COMMON,
    unknown: 'Ce jeton de renouvellement est inconnu.',
    client: 'Ce jeton a été donné à une autre application.',
    expired: 'Ce jeton de renouvellement a expiré.',
  },
};

/** The refusal of an invalid code or refresh token. */
export function refusedGrant(kind: Kind, fault: Fault): OAuthError {
  return new OAuthError('invalid_grant', REFUSALS[kind][fault]);
}
