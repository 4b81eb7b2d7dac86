import { sql } from 'kysely';
import { json } from '#lib/db/values.ts';
import type { Context } from '../context.ts';

/** The last row that a night's task reached, from which the next night goes on; empty when there was none. */
export async function readPlace({ kysely }: Pick<Context, 'kysely'>, job: string): Promise<string> {
  const row = await kysely
    .selectFrom('CronCursor')
    .select(sql<string | null>`"cursor" ->> 'after'`.as('after'))
    .where('job', '=', job)
    .executeTakeFirst();
  return row?.after ?? '';
}

/** Keeps that place. Two nights at once may each keep theirs: the next goes on from the later one. */
export async function savePlace(
  { kysely, clock }: Pick<Context, 'kysely' | 'clock'>,
  job: string,
  after: string,
): Promise<void> {
  const cursor = json({ after });
  const updatedAt = clock.now();
  await kysely
    .insertInto('CronCursor')
    .values({ job, cursor, updatedAt })
    .onConflict((conflict) => conflict.column('job').doUpdateSet({ cursor, updatedAt }))
    .execute();
}
