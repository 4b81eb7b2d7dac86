import { ServiceError } from '#lib/core/errors.ts';

/** Requests per minute and credential, and how many of them may write (B-166). */
export const REQUESTS_PER_MINUTE = 120;
const WRITES_PER_MINUTE = 20;
const WINDOW_MS = 60_000;

export type RateCounts = {
  /** Requests and writes of this credential in the current window, this one included. */
  requests: number;
  writes: number;
  /** Seconds until the window ends, at least 1. */
  resetSeconds: number;
};

/** The parameters of `countRequestSql`: the minute that this moment belongs to, and how long it still lasts. */
export function rateParams(now: Date, isWrite: boolean) {
  const windowStartMs = Math.floor(now.getTime() / WINDOW_MS) * WINDOW_MS;
  return {
    windowStart: new Date(windowStartMs),
    writeIncrement: isWrite ? 1 : 0,
    resetSeconds: Math.max(1, Math.ceil((windowStartMs + WINDOW_MS - now.getTime()) / 1000)),
  };
}

/**
 * CTEs that count one request of the credential found by the CTE `source` (column `id`): `counted(requests, writes)`.
 * $3 is the window's start, $4 is 1 for a write and 0 for a read.
 */
export function countRequestSql(source: string): string {
  return `counted AS (
  INSERT INTO "RateLimitWindow" AS w (key, "startsAt", requests, writes)
  SELECT id, $3, 1, $4::int FROM ${source}
  ON CONFLICT (key, "startsAt") DO UPDATE SET requests = w.requests + 1, writes = w.writes + excluded.writes
  RETURNING requests, writes
)`;
}

/**
 * Writes into the answer's headers the standard RateLimit fields that say where the credential stands. Errors: `rate_limited`
 * when this request is one too many.
 */
export function enforceRate(counts: RateCounts, isWrite: boolean, headers: Headers): void {
  const left = Math.max(0, REQUESTS_PER_MINUTE - counts.requests);
  const writesLeft = Math.max(0, WRITES_PER_MINUTE - counts.writes);
  const policies = [`"requests";q=${REQUESTS_PER_MINUTE};w=60`, `"writes";q=${WRITES_PER_MINUTE};w=60`];
  const states = [
    `"requests";r=${left};t=${counts.resetSeconds}`,
    `"writes";r=${writesLeft};t=${counts.resetSeconds}`,
  ];
  headers.set('RateLimit-Policy', policies.join(', '));
  headers.set('RateLimit', states.join(', '));
  if (counts.requests > REQUESTS_PER_MINUTE || (isWrite && counts.writes > WRITES_PER_MINUTE))
    throw new ServiceError('rate_limited', {
      params: { seconds: counts.resetSeconds },
      retryAfterSeconds: counts.resetSeconds,
    });
}
