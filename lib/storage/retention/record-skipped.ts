import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';

/**
 * Records the run of a night without a file store as complete. Otherwise the catch-up of missed nights would repeat all other nightly work at
 * each start.
 */
export async function recordSkipped(
  ctx: Pick<Context, 'kysely' | 'clock'>,
  skipped: 'no-blob-store',
): Promise<void> {
  const at = ctx.clock.now();
  await ctx.kysely
    .insertInto('CronRun')
    .values({
      id: createId('cronRun', at),
      job: 'retention',
      startedAt: at,
      finishedAt: at,
      complete: true,
      report: JSON.stringify({ skipped }),
    })
    .execute();
}
