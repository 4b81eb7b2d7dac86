import { type Expression, type QueryCreator, type RawBuilder, sql } from 'kysely';
import { ServiceError } from '#lib/core/errors.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { DB } from '#lib/db/types.ts';

/** Requests of one minute, and how many of them may write. */
type Rate = { requests: number; writes: number };

/** What one key or application may ask in a minute (B-166). */
export const CREDENTIAL_RATE: Rate = { requests: 120, writes: 20 };
/** What an account may ask in a minute by all its keys, applications and sessions together, unless the service is told otherwise. */
const ACCOUNT_REQUESTS_PER_MINUTE = 6_000;
const WINDOW_MS = 60_000;
/** An account's minute is counted in so many rows that its requests seldom wait for each other. */
const SHARES = 8;
const ACCOUNT_FULL =
  'Votre compte fait trop de demandes en une minute, toutes clés, applications et sessions réunies.';

/** The rates derived from an account's requests a minute: its own, and that of one member's browsers. */
function ratesOf(accountRequests: number = ACCOUNT_REQUESTS_PER_MINUTE): {
  account: Rate;
  member: Rate;
} {
  const part = (share: number) => Math.max(1, Math.floor(accountRequests * share));
  return {
    account: { requests: accountRequests, writes: part(0.1) },
    member: { requests: part(0.4), writes: part(0.05) },
  };
}

/** What an account may ask in a minute unless the service is told otherwise. */
export const ACCOUNT_RATE: Rate = ratesOf().account;

export type RateCounts = {
  /** Requests and writes of this credential, or of this member's browsers, in the current window, this one included. */
  requests: number;
  writes: number;
  /** What may be had of each. */
  own: Rate;
  /** Whether the whole account is within its rate; true while the credential itself is past its own. */
  accountPasses: boolean;
  /** Seconds until the window ends, at least 1. */
  resetSeconds: number;
};

export type RateParams = {
  windowStart: Date;
  /** The same in the keys of an account's rows: one of them is found by its key alone. */
  minute: string;
  writeIncrement: number;
  maxRequests: number;
  maxWrites: number;
  maxAccountRequests: number;
  maxAccountWrites: number;
};

/** The minute that this moment belongs to, and how long it still lasts. */
export function minuteOf(now: Date): { windowStart: Date; resetSeconds: number } {
  const windowStartMs = Math.floor(now.getTime() / WINDOW_MS) * WINDOW_MS;
  return {
    windowStart: new Date(windowStartMs),
    resetSeconds: Math.max(1, Math.ceil((windowStartMs + WINDOW_MS - now.getTime()) / 1000)),
  };
}

type RateOptions = {
  /** Whether it also counts as a write. */
  isWrite: boolean;
  /** Requests that an account may make in a minute. */
  accountRequests?: number | undefined;
};

/** The parameters of `countRequest` for one request, and how to read its row. `of`: whose own rate it is. */
export function rateOf(now: Date, of: 'credential' | 'member', options: RateOptions) {
  const { account, member } = ratesOf(options.accountRequests);
  const own = of === 'member' ? member : CREDENTIAL_RATE;
  const { windowStart, resetSeconds } = minuteOf(now);
  const params: RateParams = {
    windowStart,
    minute: String(windowStart.getTime() / WINDOW_MS),
    writeIncrement: options.isWrite ? 1 : 0,
    maxRequests: own.requests,
    maxWrites: own.writes,
    maxAccountRequests: account.requests,
    maxAccountWrites: account.writes,
  };
  const counts = ({ requests, writes, accountPasses }: RatedRow): RateCounts => ({
    requests,
    writes,
    accountPasses,
    own,
    resetSeconds,
  });
  return { params, counts };
}

/** The row of the CTE `rated`. */
export type RatedRow = { requests: number; writes: number; ownPasses: boolean; accountPasses: boolean };

type WindowRow = { key: string; startsAt: Date; requests: number; writes: number };

/** Adds the rows of `from` to their windows. */
function counting<D extends DB>(db: QueryCreator<D>, from: (db: QueryCreator<D>) => Expression<WindowRow>) {
  return (db as unknown as QueryCreator<DB>)
    .insertInto('RateLimitWindow')
    .columns(['key', 'startsAt', 'requests', 'writes'])
    .expression(from(db))
    .onConflict((conflict) =>
      conflict.columns(['key', 'startsAt']).doUpdateSet((eb) => ({
        requests: eb('RateLimitWindow.requests', '+', eb.ref('excluded.requests')),
        writes: eb('RateLimitWindow.writes', '+', eb.ref('excluded.writes')),
      })),
    );
}

/**
 * Adds the CTE `rated`: counts one request of the row (none or one) of the CTE `credential`, under the column `by`, then under its account,
 * unless the credential is already past its own rate. Concurrent requests of one account may not see each other: at most that many pass beyond
 * its rate.
 */
export function countRequest<D extends { credential: { accountId: string } }>(
  db: QueryCreator<D>,
  p: Params<RateParams>,
  by: 'id' | 'memberId',
): QueryCreator<D & { rated: RatedRow }> {
  const own = sql.ref<string>(`c.${by}`);
  const write = sql<number>`${p.writeIncrement}::int`;
  const keys = sql.join(
    Array.from(
      { length: SHARES },
      (_, n) => sql`'account:' || c."accountId" || ${sql.lit(`:${n}:`)} || ${p.minute}`,
    ),
  );
  const within = (row: string, requests: RawBuilder<number>, writes: RawBuilder<number>) =>
    sql<boolean>`(${sql.ref(`${row}.requests`)} <= ${requests}::int AND (${write} = 0 OR ${sql.ref(`${row}.writes`)} <= ${writes}::int))`;
  const isOwnWithin = within('n', p.maxRequests, p.maxWrites);
  const columns = {
    startsAt: p.windowStart.as('startsAt'),
    one: sql.lit(1).as('requests'),
    write: write.as('writes'),
  };
  return (
    db as unknown as QueryCreator<DB & { credential: { accountId: string; id: string; memberId: string } }>
  )
    .with('counted', (one) =>
      counting(one, (eb) =>
        eb
          .selectFrom('credential as c')
          .select([own.as('key'), columns.startsAt, columns.one, columns.write]),
      ).returning(['requests', 'writes']),
    )
    .with('shared', (one) =>
      counting(one, (eb) =>
        eb
          .selectFrom(['credential as c', 'counted as n'])
          .select([
            sql<string>`'account:' || ${sql.ref('c.accountId')} || ':' || (hashtext(${own}) & ${sql.lit(SHARES - 1)}) || ':' || ${p.minute}`.as(
              'key',
            ),
            columns.startsAt,
            columns.one,
            columns.write,
          ])
          .where(isOwnWithin),
      ).returning(['key', 'requests', 'writes']),
    )
    .with(
      // Looked up by key only: with the minute in the condition, the plan may read every window of that minute.
      'everybody',
      () => sql<{ requests: number; writes: number }>`(
  SELECT s."requests" + o."requests" AS "requests", s."writes" + o."writes" AS "writes"
  FROM "shared" AS s CROSS JOIN (
    SELECT coalesce(sum(w."requests"), 0) AS "requests", coalesce(sum(w."writes"), 0) AS "writes" FROM "RateLimitWindow" AS w
    WHERE w."key" = ANY ((SELECT ARRAY[${keys}] FROM "credential" AS c)::text[]) AND w."key" <> (SELECT "key" FROM "shared")
  ) AS o)`,
    )
    .with(
      // Materialized: it is read twice, and would be computed twice.
      (name) => name('rated').materialized(),
      () => sql<RatedRow>`(
  SELECT n."requests", n."writes", ${isOwnWithin} AS "ownPasses",
    coalesce((SELECT ${within('e', p.maxAccountRequests, p.maxAccountWrites)} FROM "everybody" AS e), true) AS "accountPasses"
  FROM "counted" AS n)`,
    ) as unknown as QueryCreator<D & { rated: RatedRow }>;
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

/** Writes the standard RateLimit headers of the credential into `headers`. Errors: `rate_limited` when this request is one too many. */
export function enforceRate(counts: RateCounts, isWrite: boolean, headers: Headers): void {
  const { own } = counts;
  const left = Math.max(0, own.requests - counts.requests);
  const writesLeft = Math.max(0, own.writes - counts.writes);
  const policies = [`"requests";q=${own.requests};w=60`, `"writes";q=${own.writes};w=60`];
  const states = [
    `"requests";r=${left};t=${counts.resetSeconds}`,
    `"writes";r=${writesLeft};t=${counts.resetSeconds}`,
  ];
  headers.set('RateLimit-Policy', policies.join(', '));
  headers.set('RateLimit', states.join(', '));
  const refusal = rateRefusal(counts, isWrite);
  if (refusal) throw refusal;
}

/** The refusal of a request that is one too many, for its credential or member, or for the account. */
export function rateRefusal(counts: RateCounts, isWrite: boolean): ServiceError | undefined {
  const { own, requests, writes, accountPasses, resetSeconds } = counts;
  const isPast = requests > own.requests || (isWrite && writes > own.writes);
  if (!isPast && accountPasses) return undefined;
  return new ServiceError('rate_limited', {
    params: { seconds: resetSeconds },
    retryAfterSeconds: resetSeconds,
    ...(isPast ? {} : { message: `${ACCOUNT_FULL} Réessayez dans ${resetSeconds} s.` }),
  });
}
