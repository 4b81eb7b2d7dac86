import { sql } from 'kysely';
import { json } from '#lib/db/values.ts';
import type { Context } from '../context.ts';

/** The cursor of a nightly job: the last row it reached, after which the next night continues; empty when there is none. */
export async function readJobCursor({ kysely }: Pick<Context, 'kysely'>, job: string): Promise<string> {
  const row = await kysely
    .selectFrom('CronCursor')
    .select(sql<string | null>`"cursor" ->> 'after'`.as('after'))
    .where('job', '=', job)
    .executeTakeFirst();
  return row?.after ?? '';
}

/** Stores that cursor. Two nights at once may each store theirs: the next one continues from the later. */
export async function saveJobCursor(
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
