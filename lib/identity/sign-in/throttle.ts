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
const THROTTLE_WINDOW_MS = 15 * MINUTE_MS;

/** The name of a window: a keyed hash, so that the table holds neither addresses nor networks. */
export function throttleName(secret: string, of: string): string {
  return createHmac('sha256', secret).update(`throttle\0${of}`).digest('base64url');
}

/**
 * One statement that counts an attempt in window after window, and stops at the first that is full: what a full window refuses
 * weighs on none of the next. Parameters: keys, starts, limits, one of each per window.
 */
function countSql(windows: number): string {
  const steps = Array.from({ length: windows }, (_, i) => {
    const accepted = i === 0 ? '' : ` FROM w${i} WHERE w${i}.requests <= ($3::int[])[${i}]`;
    return `w${i + 1} AS (
  INSERT INTO "RateLimitWindow" AS w (key, "startsAt", requests, writes)
  SELECT ($1::text[])[${i + 1}], ($2::timestamptz[])[${i + 1}], 1, 0${accepted}
  ON CONFLICT (key, "startsAt") DO UPDATE SET requests = w.requests + 1
  RETURNING key, requests
)`;
  });
  const all = steps.map((_, i) => `SELECT key, requests FROM w${i + 1}`).join(' UNION ALL ');
  return `WITH ${steps.join(', ')}\n${all}`;
}

/**
 * Counts one attempt, shared by all instances. `limits` go from what is shared most and lasts least: a network that is full
 * weighs on no address, and a burst that fills an address's quarter of an hour leaves the rest of its day alone.
 * Errors: `rate_limited` once a window is full, whatever is true of the address.
 */
async function count(ctx: Context, secret: string, limits: readonly Limit[]): Promise<void> {
  const nowMs = ctx.clock.now().getTime();
  const windows = limits.map((limit) => ({
    ...limit,
    key: `${limit.what}:${limit.windowMs / MINUTE_MS}:${throttleName(secret, limit.of)}`,
    startsAtMs: Math.floor(nowMs / limit.windowMs) * limit.windowMs,
  }));
  const counts = await ctx.sql.rows<{ key: string; requests: number }>(
    `throttle.count.${windows.length}`,
    countSql(windows.length),
    [
      windows.map(({ key }) => key),
      windows.map(({ startsAtMs }) => new Date(startsAtMs)),
      windows.map(({ limit }) => limit),
    ],
  );
  const full = windows.find(
    ({ key, limit }) => (counts.find((counted) => counted.key === key)?.requests ?? 0) > limit,
  );
  if (!full) return;
  const retryAfterSeconds = Math.ceil((full.startsAtMs + full.windowMs - nowMs) / 1000);
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
    { what: 'otp-net', of: who.network, windowMs: THROTTLE_WINDOW_MS, limit: REQUEST_LIMITS.perNetwork },
    { what: 'otp-net', of: who.network, windowMs: DAY_MS, limit: REQUEST_LIMITS.perNetworkDaily },
    { what: 'otp-mail', of: who.email, windowMs: THROTTLE_WINDOW_MS, limit: REQUEST_LIMITS.perAddress },
    { what: 'otp-mail', of: who.email, windowMs: DAY_MS, limit: REQUEST_LIMITS.perAddressDaily },
  ]);
}

/** Counts a code tried. Errors: `rate_limited`. */
export async function throttleVerify(ctx: Context, secret: string, who: Who): Promise<void> {
  await count(ctx, secret, [
    { what: 'try-net', of: who.network, windowMs: THROTTLE_WINDOW_MS, limit: VERIFY_LIMITS.perNetwork },
    { what: 'try-mail', of: who.email, windowMs: THROTTLE_WINDOW_MS, limit: VERIFY_LIMITS.perAddress },
  ]);
}
