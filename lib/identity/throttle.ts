import { createHmac } from 'node:crypto';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

type Limit = { what: string; of: string; windowMs: number; limit: number };

/** Codes asked for: what one person, and one network of people, may need. */
export const REQUEST_LIMITS = { perAddress: 5, perAddressDaily: 20, perNetwork: 60, perNetworkDaily: 400 };
/** Codes tried. With five tries a code and twenty codes a day, guessing one of a million stays hopeless. */
export const VERIFY_LIMITS = { perAddress: 25, perNetwork: 100 };
export const THROTTLE_WINDOW_MS = 15 * MINUTE_MS;

const COUNT = `
INSERT INTO "RateLimitWindow" AS w (key, "startsAt", requests, writes)
SELECT key, at, 1, 0 FROM unnest($1::text[], $2::timestamptz[]) AS counted(key, at) ORDER BY key
ON CONFLICT (key, "startsAt") DO UPDATE SET requests = w.requests + 1
RETURNING key, requests`;

/**
 * Counts one attempt in every window, shared by all instances. The windows are named by a keyed hash: the table holds
 * neither addresses nor networks. Errors: `rate_limited` once a window is full, whatever is true of the address.
 */
async function count(ctx: Context, secret: string, limits: readonly Limit[]): Promise<void> {
  const nowMs = ctx.clock.now().getTime();
  const windows = limits.map((limit) => ({
    ...limit,
    key: `${limit.what}:${limit.windowMs / MINUTE_MS}:${createHmac('sha256', secret).update(`throttle\0${limit.of}`).digest('base64url')}`,
    startsAtMs: Math.floor(nowMs / limit.windowMs) * limit.windowMs,
  }));
  const counts = await ctx.sql.rows<{ key: string; requests: number }>('throttle.count', COUNT, [
    windows.map((window) => window.key),
    windows.map((window) => new Date(window.startsAtMs)),
  ]);
  const full = windows.filter(
    ({ key, limit }) => (counts.find((counted) => counted.key === key)?.requests ?? 0) > limit,
  );
  if (full.length === 0) return;
  const retryAfterSeconds = Math.max(
    ...full.map((window) => Math.ceil((window.startsAtMs + window.windowMs - nowMs) / 1000)),
  );
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const wait =
    minutes > 90
      ? `dans ${Math.ceil(minutes / 60)} heures`
      : `dans ${minutes} minute${minutes > 1 ? 's' : ''}`;
  throw new ServiceError('rate_limited', {
    message: `Trop d’essais depuis cette adresse ou ce réseau. Réessayez ${wait}.`,
    retryAfterSeconds,
  });
}

type Who = { email: string; network: string };

/** Counts a request for a code. Errors: `rate_limited`. */
export async function throttleRequest(ctx: Context, secret: string, who: Who): Promise<void> {
  await count(ctx, secret, [
    { what: 'otp-mail', of: who.email, windowMs: THROTTLE_WINDOW_MS, limit: REQUEST_LIMITS.perAddress },
    { what: 'otp-mail', of: who.email, windowMs: DAY_MS, limit: REQUEST_LIMITS.perAddressDaily },
    { what: 'otp-net', of: who.network, windowMs: THROTTLE_WINDOW_MS, limit: REQUEST_LIMITS.perNetwork },
    { what: 'otp-net', of: who.network, windowMs: DAY_MS, limit: REQUEST_LIMITS.perNetworkDaily },
  ]);
}

/** Counts a code tried. Errors: `rate_limited`. */
export async function throttleVerify(ctx: Context, secret: string, who: Who): Promise<void> {
  await count(ctx, secret, [
    { what: 'try-mail', of: who.email, windowMs: THROTTLE_WINDOW_MS, limit: VERIFY_LIMITS.perAddress },
    { what: 'try-net', of: who.network, windowMs: THROTTLE_WINDOW_MS, limit: VERIFY_LIMITS.perNetwork },
  ]);
}
