import { sql } from 'kysely';
import type { Context } from '#lib/core/context.ts';

const DAY_MS = 86_400_000;
/** The hour of the night, as vercel.json and the local scheduler have it: 03:40 UTC. */
const HOUR_MS = (3 * 60 + 40) * 60_000;

/**
 * Whether no night has begun since the last 03:40 UTC, of a service that had run before it: the machine was off at that hour. A service that is
 * new missed nothing.
 */
export async function isNightMissed({ kysely, clock }: Pick<Context, 'kysely' | 'clock'>): Promise<boolean> {
  const nowMs = clock.now().getTime();
  const due = new Date(Math.floor((nowMs - HOUR_MS) / DAY_MS) * DAY_MS + HOUR_MS);
  const row = await kysely
    .selectFrom('CronRun')
    .select([
      sql<boolean>`coalesce(bool_or("startedAt" < ${due}), false)`.as('isOld'),
      sql<boolean>`coalesce(bool_or("job" = 'retention' and "startedAt" >= ${due}), false)`.as('hasRun'),
    ])
    .executeTakeFirst();
  return row !== undefined && row.isOld && !row.hasRun;
}
