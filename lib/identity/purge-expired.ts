import type { Context } from '#lib/core/context.ts';

const DAY_MS = 86_400_000;
/** Ended sessions stay a while, for whoever reads the audit. */
const SESSIONS_KEPT_MS = 90 * DAY_MS;

export type PurgeOptions = {
  /** No batch begins after this long; what is left is for the next night. Default 20 s. */
  budgetMs?: number;
  /** Rows of one statement, so that none holds the table for long. Default 5,000. */
  batch?: number;
  /** A clock that only goes forward, in milliseconds; the process's own. */
  elapsedMs?: () => number;
};

const DELETE = {
  codes: `DELETE FROM "SignInCode" WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM "SignInCode" WHERE "expiresAt" < $1 ORDER BY "expiresAt" LIMIT $2)) RETURNING 1`,
  windows: `DELETE FROM "RateLimitWindow" WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM "RateLimitWindow" WHERE "startsAt" < $1 ORDER BY "startsAt" LIMIT $2)) RETURNING 1`,
  sessions: `DELETE FROM "Session" WHERE ctid = ANY(ARRAY(
    SELECT ctid FROM "Session" WHERE "expiresAt" < $1 ORDER BY "expiresAt" LIMIT $2)) RETURNING 1`,
} as const;

/**
 * Removes what signing in leaves behind: codes of yesterday, throttle windows of the day before, sessions ended for 90 days; in
 * batches, for as long as it may take. For the retention job; harmless at any time. Returns the counts.
 */
export async function purgeExpired(
  ctx: Pick<Context, 'sql' | 'clock'>,
  options: PurgeOptions = {},
): Promise<{ codes: number; windows: number; sessions: number }> {
  const { budgetMs = 20_000, batch = 5_000, elapsedMs = () => performance.now() } = options;
  const nowMs = ctx.clock.now().getTime();
  const endMs = elapsedMs() + budgetMs;
  const removed = { codes: 0, windows: 0, sessions: 0 };
  const keptMs = { codes: DAY_MS, windows: 2 * DAY_MS, sessions: SESSIONS_KEPT_MS };
  for (const what of ['codes', 'windows', 'sessions'] as const) {
    const before = new Date(nowMs - keptMs[what]);
    for (let rows = batch; rows === batch && elapsedMs() < endMs; removed[what] += rows)
      rows = (await ctx.sql.rows(`identity.purge_${what}`, DELETE[what], [before, batch])).length;
  }
  return removed;
}
