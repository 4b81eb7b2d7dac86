import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { waitWords } from '#lib/core/text/wait-words.ts';
import { compileOnly } from '#lib/db/compile-only.ts';
import { type Params, type Prepared, prepared } from '#lib/db/prepared.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

type Limit = { what: string; of: string; windowMs: number; limit: number };

/**
 * Limits on requested codes: for one person in one place (a known browser, or one network for one address), for one network, and for the mail
 * that strangers together may cause an address.
 */
export const REQUEST_LIMITS = {
  perPerson: 5,
  perPersonDaily: 20,
  perNetwork: 60,
  perNetworkDaily: 400,
  perAddress: 30,
  perAddressDaily: 100,
};
/**
 * Limits on tried codes. Guessing is stopped by five tries a code and `FAILURES_ALLOWED` in a row; these limit the work, and keep one place
 * from using up all those hundred of an address in a day, which would block its owner's new browsers everywhere.
 */
export const VERIFY_LIMITS = { perPerson: 25, perNetwork: 100, perPlaceDaily: 30 };
/** Passkeys tried by one network: a passkey cannot be guessed, this limits the work. */
const PASSKEYS_PER_NETWORK = 300;
const THROTTLE_WINDOW_MS = 15 * MINUTE_MS;

/** The name of a window: a keyed hash, so that the table holds neither addresses nor networks. */
export function throttleName(secret: string, of: string): string {
  return createHmac('sha256', secret).update(`throttle\0${of}`).digest('base64url');
}

type Windows = { keys: string[]; starts: string[]; limits: number[] };
type Counted = { key: string; requests: number };
const statements = new Map<number, Prepared<Windows, Counted>>();

/**
 * One statement that counts an attempt in window after window, and stops at the first that is full: what a full window refuses
 * weighs on none of the next.
 */
function countStatement(windows: number): Prepared<Windows, Counted> {
  const known = statements.get(windows);
  if (known) return known;
  const made = prepared(`throttle.count.${windows}`, (_, p: Params<Windows>) => {
    const steps = Array.from({ length: windows }, (_, i) => {
      const [name, former] = [sql.raw(`w${i + 1}`), sql.raw(`w${i}`)];
      const accepted =
        i === 0
          ? sql``
          : sql` FROM ${former} WHERE ${former}.requests <= (${p.limits}::int[])[${sql.lit(i)}]`;
      return sql`${name} AS (
  INSERT INTO "RateLimitWindow" AS w (key, "startsAt", requests, writes)
  SELECT (${p.keys}::text[])[${sql.lit(i + 1)}], (${p.starts}::timestamptz[])[${sql.lit(i + 1)}], 1, 0${accepted}
  ON CONFLICT (key, "startsAt") DO UPDATE SET requests = w.requests + 1
  RETURNING key, requests)`;
    });
    const all = steps.map((_, i) => sql`SELECT key, requests FROM ${sql.raw(`w${i + 1}`)}`);
    const text = sql<Counted>`WITH ${sql.join(steps)} ${sql.join(all, sql` UNION ALL `)}`;
    return { compile: () => text.compile(compileOnly) };
  });
  statements.set(windows, made);
  return made;
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
  const counts = await countStatement(windows.length).all(ctx.kysely, {
    keys: windows.map(({ key }) => key),
    starts: windows.map(({ startsAtMs }) => new Date(startsAtMs).toISOString()),
    limits: windows.map(({ limit }) => limit),
  });
  const full = windows.find(
    ({ key, limit }) => (counts.find((counted) => counted.key === key)?.requests ?? 0) > limit,
  );
  if (!full) return;
  const retryAfterSeconds = Math.ceil((full.startsAtMs + full.windowMs - nowMs) / 1000);
  throw new ServiceError('rate_limited', {
    message: `Trop d’essais depuis cette adresse ou ce réseau. Réessayez ${waitWords(retryAfterSeconds)}.`,
    retryAfterSeconds,
  });
}

type Who = {
  email: string;
  network: string;
  /** The hash of the browser when it is one that the address knows: what strangers do then weighs nothing. */
  browser: string | null;
};

/**
 * The subscription behind a network (`networkOf`): one of IPv6 holds up to a /48, hence tens of thousands of networks, any of which would
 * be another place. An IPv4 address stands for itself.
 */
export function subscriptionOf(network: string): string {
  const [, prefix] = /^((?:[0-9a-f]{1,4}:){3})[0-9a-f]{1,4}::\/64$/.exec(network) ?? [];
  return prefix === undefined ? network : `${prefix}:/48`;
}

/** A place that strangers act from on one address. */
const placeOf = (who: { network: string; email: string }) => `${subscriptionOf(who.network)}\0${who.email}`;

/** Counts a request for a code. Errors: `rate_limited`. */
export async function throttleRequest(ctx: Context, secret: string, who: Who): Promise<void> {
  const { perPerson, perPersonDaily, perNetwork, perNetworkDaily, perAddress, perAddressDaily } =
    REQUEST_LIMITS;
  const inOnePlace = who.browser ?? placeOf(who);
  const person = [
    { what: 'otp-person', of: inOnePlace, windowMs: THROTTLE_WINDOW_MS, limit: perPerson },
    { what: 'otp-person', of: inOnePlace, windowMs: DAY_MS, limit: perPersonDaily },
  ];
  if (who.browser !== null) return count(ctx, secret, person);
  await count(ctx, secret, [
    { what: 'otp-net', of: who.network, windowMs: THROTTLE_WINDOW_MS, limit: perNetwork },
    { what: 'otp-net', of: who.network, windowMs: DAY_MS, limit: perNetworkDaily },
    ...person,
    { what: 'otp-mail', of: who.email, windowMs: THROTTLE_WINDOW_MS, limit: perAddress },
    { what: 'otp-mail', of: who.email, windowMs: DAY_MS, limit: perAddressDaily },
  ]);
}

/**
 * Counts a code tried by a browser: the known one's own tries, or all those of its network, and those of its place once it has a code to
 * try (a browser that asked for none weighs on no address). Errors: `rate_limited`.
 */
export async function throttleVerify(
  ctx: Context,
  secret: string,
  who: { email: string; browserHash: string; network: string; known: boolean; hasCode: boolean },
): Promise<void> {
  const { perPerson, perNetwork, perPlaceDaily } = VERIFY_LIMITS;
  if (who.known)
    return count(ctx, secret, [
      { what: 'try-person', of: who.browserHash, windowMs: THROTTLE_WINDOW_MS, limit: perPerson },
    ]);
  const place = who.hasCode
    ? [{ what: 'try-place', of: placeOf(who), windowMs: DAY_MS, limit: perPlaceDaily }]
    : [];
  await count(ctx, secret, [
    { what: 'try-net', of: who.network, windowMs: THROTTLE_WINDOW_MS, limit: perNetwork },
    ...place,
  ]);
}

/** Counts a passkey tried from a network. Errors: `rate_limited`. */
export async function throttlePasskey(ctx: Context, secret: string, who: { network: string }): Promise<void> {
  await count(ctx, secret, [
    { what: 'passkey-net', of: who.network, windowMs: THROTTLE_WINDOW_MS, limit: PASSKEYS_PER_NETWORK },
  ]);
}
