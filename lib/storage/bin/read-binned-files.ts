import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import { binEnd, erasedBefore } from '#lib/core/bin-time.ts';
import type { Context } from '#lib/core/context.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { countRows, isAnyOf } from '#lib/db/values.ts';

type Wanted = { accountId: string; ids: readonly string[]; since: Date };

const binnedOf = prepared('storage.binned_files', (db, p: Params<Wanted>) =>
  db
    .selectFrom('Asset')
    .select(['generationId', sql<Date>`min("deletedAt")`.as('firstAt'), countRows.as('files')])
    .where('accountId', '=', p.accountId)
    .where(isAnyOf('generationId', p.ids))
    .where('binnedBy', 'is not', null)
    .where('deletedAt', '>=', p.since)
    .groupBy('generationId'),
);

/** Until when the files of these generations wait in the bin, and how many each has there; those that have none there are left out. At most 100. */
export async function readBinnedFiles(
  ctx: Context<AccountActor>,
  input: { generationIds: readonly string[] },
): Promise<{ generationId: string; erasedAt: Date; files: number }[]> {
  const rows = await binnedOf.all(ctx.kysely, {
    accountId: ctx.actor.accountId,
    ids: input.generationIds.slice(0, 100),
    since: erasedBefore(ctx.clock.now()),
  });
  return rows.flatMap(({ generationId, firstAt, files }) =>
    generationId ? [{ generationId, erasedAt: binEnd(firstAt), files }] : [],
  );
}
