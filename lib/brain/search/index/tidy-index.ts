import type { Context } from '#lib/core/context.ts';
import { readJobCursor, saveJobCursor } from '#lib/core/resource-limits/job-cursor.ts';
import { type TimeLimit, timeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { ENOUGH_FRESH, indexPending } from './maintain.ts';
import { readUntidy } from './write-statements.ts';

/** How long a night gives to it; the next one goes on. */
const MAX_MS = 60_000;
/** Its row of `CronCursor`. */
const JOB = 'tidy-search-index';

/**
 * Rewrites the segments that hold words of erased Memories, and indexes what waits: what an account erased leaves its index within a day.
 * Returns how many accounts were processed. Neither a failure, thrown at the end, nor an account with much to rewrite delays the others: each
 * has an even part of the time, and a night continues after the last account of the night before.
 */
export async function tidyIndex(ctx: Pick<Context, 'kysely' | 'clock'>, within?: TimeLimit): Promise<number> {
  const limit = timeLimit(ctx, MAX_MS, within);
  let done = 0;
  const failures: unknown[] = [];
  const untidy = await readUntidy.all(ctx.kysely, { enough: ENOUGH_FRESH });
  const place = await readJobCursor(ctx, JOB);
  const inTurn = [
    ...untidy.filter(({ accountId }) => accountId > place),
    ...untidy.filter(({ accountId }) => accountId <= place),
  ];
  let reached = '';
  for (const [index, { accountId }] of inTurn.entries()) {
    if (limit.isOver()) break;
    reached = accountId;
    const own = limit.upTo(limit.leftMs / (inTurn.length - index));
    try {
      await indexPending(ctx, { accountId, compact: true, within: own });
      done++;
    } catch (error) {
      failures.push(error);
    }
  }
  if (reached !== '') await saveJobCursor(ctx, JOB, reached);
  if (failures.length > 0) throw failures[0];
  return done;
}
