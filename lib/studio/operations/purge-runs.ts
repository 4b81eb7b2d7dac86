import { sql } from 'kysely';
import type { SystemActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type TimeLimit, timeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { JOBS } from './list-runs.ts';

/** How long « Exploitation » shows a run. */
const RUNS_KEPT_DAYS = 90;
const AT_ONCE = 1_000;
/** How long a night gives to it; the next one goes on. */
const MAX_MS = 10_000;

/** Deletes runs of scheduled jobs of more than 90 days ago, but for the last of each job: when it ran last is always told. Returns how many. */
export async function purgeRuns(ctx: Context<SystemActor>, within?: TimeLimit): Promise<number> {
  const before = new Date(ctx.clock.now().getTime() - RUNS_KEPT_DAYS * 86_400_000);
  const limit = timeLimit(ctx, MAX_MS, within);
  let purged = 0;
  for (const job of JOBS) {
    for (let rows = AT_ONCE; rows === AT_ONCE && !limit.isOver(); purged += rows) {
      const last = ctx.kysely
        .selectFrom('CronRun')
        .select(({ fn }) => fn.max('startedAt').as('at'))
        .where('job', '=', job);
      const old = ctx.kysely
        .selectFrom('CronRun')
        .select('id')
        .where('job', '=', job)
        .where('startedAt', '<', before)
        .where('startedAt', '<', last)
        .orderBy('startedAt')
        .limit(AT_ONCE)
        .forUpdate()
        .skipLocked();
      const deleted = await ctx.kysely
        .deleteFrom('CronRun')
        .where(sql<boolean>`id = any(array(${old}))`)
        .executeTakeFirst();
      rows = Number(deleted.numDeletedRows);
    }
  }
  return purged;
}
