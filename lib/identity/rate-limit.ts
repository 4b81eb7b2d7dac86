import { type QueryCreator, sql } from 'kysely';
import { ServiceError } from '#lib/core/errors.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { DB } from '#lib/db/types.ts';

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

export type RateParams = { windowStart: Date; writeIncrement: number };

/** The parameters of `countRequest`: the minute that this moment belongs to; and how long it still lasts. */
export function rateParams(now: Date, isWrite: boolean): RateParams & { resetSeconds: number } {
  const windowStartMs = Math.floor(now.getTime() / WINDOW_MS) * WINDOW_MS;
  return {
    windowStart: new Date(windowStartMs),
    writeIncrement: isWrite ? 1 : 0,
    resetSeconds: Math.max(1, Math.ceil((windowStartMs + WINDOW_MS - now.getTime()) / 1000)),
  };
}

/** Adds a CTE that counts one request of the row (none or one) of the CTE `credential`: `counted(requests, writes)`. */
export function countRequest<D extends { credential: { id: string } }>(
  db: QueryCreator<D>,
  p: Params<RateParams>,
): QueryCreator<D & { counted: { requests: number; writes: number } }> {
  return (db as unknown as QueryCreator<DB & { credential: { id: string } }>).with('counted', (one) =>
    one
      .insertInto('RateLimitWindow')
      .columns(['key', 'startsAt', 'requests', 'writes'])
      .expression((eb) =>
        eb
          .selectFrom('credential')
          .select((on) => [
            'credential.id',
            p.windowStart.as('startsAt'),
            on.lit(1).as('requests'),
            sql<number>`${p.writeIncrement}::int`.as('writes'),
          ]),
      )
      .onConflict((conflict) =>
        conflict.columns(['key', 'startsAt']).doUpdateSet((eb) => ({
          requests: eb('RateLimitWindow.requests', '+', eb.lit(1)),
          writes: eb('RateLimitWindow.writes', '+', eb.ref('excluded.writes')),
        })),
      )
      .returning(['requests', 'writes']),
  ) as unknown as QueryCreator<D & { counted: { requests: number; writes: number } }>;
}

/** Counts one request under a key of one's own in the window that starts at `windowStart`. */
export const countOne = prepared('rate.count-one', (db, p: Params<{ key: string; windowStart: Date }>) =>
  db
    .insertInto('RateLimitWindow')
    .values({ key: p.key, startsAt: p.windowStart, requests: 1, writes: 0 })
    .onConflict((conflict) =>
      conflict.columns(['key', 'startsAt']).doUpdateSet((eb) => ({
        requests: eb('RateLimitWindow.requests', '+', eb.lit(1)),
      })),
    )
    .returning('requests'),
);

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
