import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';

/**
 * Writes the run of a night that had no file store to look at: begun, over, and complete. Without it nobody could tell that the night was had, and
 * whoever catches a missed one up would do all its other work again at each start.
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
