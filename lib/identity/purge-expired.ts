import { sql } from 'kysely';
import type { Context } from '#lib/core/context.ts';
import { TimeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { KNOWN_BROWSER_DAYS } from './sign-in/browser.ts';

const DAY_MS = 86_400_000;
/** Events told to webhooks, delivered or not. */
export const DELIVERIES_KEPT_DAYS = 14;

type PurgeOptions = {
  /** No batch begins after this long; what is left is for the next night. Default 20 s. */
  budgetMs?: number;
  /** Rows of one statement, so that none holds the table for long. Default 5,000. */
  batch?: number;
  /** A clock that only goes forward, in milliseconds; the process's own. */
  elapsedMs?: () => number;
  /** The limit of the nightly run that it is part of. */
  within?: TimeLimit;
};

/** The tables purged, the column that dates each row, and how long rows are kept after it. */
const REMOVED = {
  codes: { table: 'SignInCode', column: 'expiresAt', keptMs: DAY_MS },
  windows: { table: 'RateLimitWindow', column: 'startsAt', keptMs: 2 * DAY_MS },
  sessions: { table: 'Session', column: 'expiresAt', keptMs: 90 * DAY_MS },
  failures: { table: 'SignInFailure', column: 'updatedAt', keptMs: 90 * DAY_MS },
  browsers: { table: 'KnownBrowser', column: 'lastSeenAt', keptMs: KNOWN_BROWSER_DAYS * DAY_MS },
  challenges: { table: 'SpentChallenge', column: 'expiresAt', keptMs: DAY_MS },
  deliveries: { table: 'WebhookDelivery', column: 'at', keptMs: DELIVERIES_KEPT_DAYS * DAY_MS },
  shares: { table: 'ShareLink', column: 'expiresAt', keptMs: 30 * DAY_MS },
  thresholds: { table: 'WebhookThreshold', column: 'at', keptMs: 60 * DAY_MS },
} as const;
type Removed = keyof typeof REMOVED;

/**
 * Deletes expired rows: webhook events after 14 days, codes and answered challenges after a day, throttle windows of the day before, sessions
 * 90 days after their end (for the audit), wrong codes after 90 days, browsers unseen for 400, share links 30 days after their end, thresholds
 * told 60 days ago. In batches, until the time is over. For the retention job; harmless at any time. Returns the counts.
 */
export async function purgeExpired(
  ctx: Pick<Context, 'kysely' | 'clock'>,
  options: PurgeOptions = {},
): Promise<Record<Removed, number>> {
  const { budgetMs = 20_000, batch = 5_000, elapsedMs = () => performance.now() } = options;
  const nowMs = ctx.clock.now().getTime();
  const limit = options.within?.upTo(budgetMs) ?? new TimeLimit(budgetMs, elapsedMs);
  const removed = {
    codes: 0,
    windows: 0,
    sessions: 0,
    failures: 0,
    browsers: 0,
    challenges: 0,
    deliveries: 0,
    shares: 0,
    thresholds: 0,
  };
  // One batch of each in turn: a table that fills faster than a night can empty it does not use up the others' time.
  let full = Object.keys(REMOVED) as Removed[];
  while (full.length > 0) {
    const again: Removed[] = [];
    for (const what of full) {
      if (limit.isOver()) return removed;
      const rows = await removeBatch(ctx, { ...REMOVED[what], nowMs, batch });
      removed[what] += rows;
      if (rows === batch) again.push(what);
    }
    full = again;
  }
  return removed;
}

async function removeBatch(
  ctx: Pick<Context, 'kysely'>,
  what: { table: string; column: string; keptMs: number; nowMs: number; batch: number },
): Promise<number> {
  const [from, at] = [sql.table(what.table), sql.ref(what.column)];
  const before = new Date(what.nowMs - what.keptMs);
  // Locked rows are skipped until another night: a purge that never waits cannot deadlock.
  const deleted = await sql`DELETE FROM ${from} WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM ${from} WHERE ${at} < ${before} ORDER BY ${at} LIMIT ${what.batch}
        FOR UPDATE SKIP LOCKED))`.execute(ctx.kysely);
  return Number(deleted.numAffectedRows ?? 0n);
}
