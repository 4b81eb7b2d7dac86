import type { Context } from '#lib/core/context.ts';
import { rateParams } from '#lib/identity/rate-limit.ts';
import { OAuthError } from '../protocol/errors.ts';

const COUNT = `
INSERT INTO "RateLimitWindow" AS w (key, "startsAt", requests, writes) VALUES ($1, $2, 1, 0)
ON CONFLICT (key, "startsAt") DO UPDATE SET requests = w.requests + 1
RETURNING requests`;

/**
 * Counts one attempt of a network in the current minute, shared by all instances.
 * `network` is a name that tells nothing of the address: the door hashes it (`networkName`).
 * Errors: `temporarily_unavailable` (429, with `Retry-After`) past `perMinute`.
 */
export async function countAttempt(
  ctx: Context,
  input: { what: 'register' | 'document'; network: string; perMinute: number },
): Promise<void> {
  const { windowStart, resetSeconds } = rateParams(ctx.clock.now(), false);
  const [row] = await ctx.sql.rows<{ requests: number }>('oauth-count-attempt', COUNT, [
    `oauth-${input.what}:${input.network}`,
    windowStart,
  ]);
  if ((row?.requests ?? 0) <= input.perMinute) return;
  throw new OAuthError('temporarily_unavailable', `Trop de demandes. Réessayez dans ${resetSeconds} s.`, {
    status: 429,
    headers: { 'Retry-After': String(resetSeconds) },
  });
}
