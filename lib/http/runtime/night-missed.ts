import { sql } from 'kysely';
import type { Context } from '#lib/core/context.ts';
import { isOneOf } from '#lib/db/values.ts';
import { JOBS } from '#lib/studio/operations/list-runs.ts';

const DAY_MS = 86_400_000;
/** The hour of the night, as vercel.json and the local scheduler have it: 03:40 UTC. */
const HOUR_MS = (3 * 60 + 40) * 60_000;

/** A run started from a shell does only part of the nightly work, and does not count. */
const isOfNight = sql<boolean>`"report" -> 'byHand' is null`;

/**
 * Whether no nightly run has begun since the last 03:40 UTC although earlier ones had: the machine was off at that hour. A new service,
 * without any run, missed nothing.
 */
export async function isNightMissed({ kysely, clock }: Pick<Context, 'kysely' | 'clock'>): Promise<boolean> {
  const nowMs = clock.now().getTime();
  const due = new Date(Math.floor((nowMs - HOUR_MS) / DAY_MS) * DAY_MS + HOUR_MS);
  const runs = kysely.selectFrom('CronRun').select('id');
  // Whether there is one, of each: to ask both of every run at once would read them all.
  const row = await kysely
    .selectNoFrom((eb) => [
      eb.exists(runs.where(isOneOf('job', JOBS)).where('startedAt', '<', due)).as('isOld'),
      eb
        .exists(runs.where('job', '=', 'retention').where('startedAt', '>=', due).where(isOfNight))
        .as('hasRun'),
    ])
    .executeTakeFirst();
  return Boolean(row?.isOld) && !row?.hasRun;
}
