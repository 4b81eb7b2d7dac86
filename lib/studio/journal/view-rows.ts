import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { retentionCutoff } from '#lib/storage/keep-reason.ts';
import type { Generation } from '../generation/generation.ts';
import { type GenerationView, viewGeneration } from './view.ts';

const findGone = prepared('studio.gone_files', (db, p: Params<{ accountId: string; ids: string[] }>) =>
  db
    .selectFrom('Asset')
    .select((eb) => ['pathname', eb.fn.coalesce('deletedAt', 'expiringAt').as('goneAt')])
    .where('accountId', '=', p.accountId)
    .where(isAnyOf('generationId', p.ids))
    // What retention has decided to delete is served no more, as `openFile` answers.
    .where(({ or, eb }) => or([eb('deletedAt', 'is not', null), eb('expiringAt', 'is not', null)])),
);

/** Rows as members see them, in the order given: a file that went while others of its row stay says since when it is gone. */
export async function viewRows(
  ctx: Pick<Context<AccountActor>, 'actor' | 'clock' | 'kysely'>,
  rows: readonly Generation[],
): Promise<GenerationView[]> {
  const now = ctx.clock.now();
  const cutoff = retentionCutoff(now);
  // Of a young row with one file, the row itself says whether it is gone: most pages ask nothing more.
  const ids = rows
    .filter(({ filesDeletedAt, artifacts }) => filesDeletedAt === null && artifacts.length > 0)
    .filter(({ artifacts, createdAt }) => artifacts.length > 1 || createdAt < cutoff)
    .map(({ id }) => id);
  const gone = ids.length > 0 ? await findGone.all(ctx.kysely, { accountId: ctx.actor.accountId, ids }) : [];
  const goneAt = new Map(gone.map((file) => [file.pathname, file.goneAt]));
  return rows.map((row) => viewGeneration(row, now, ctx.actor, goneAt));
}

/** One row as members see it. */
export async function viewRow(
  ctx: Pick<Context<AccountActor>, 'actor' | 'clock' | 'kysely'>,
  row: Generation,
): Promise<GenerationView> {
  const [view] = await viewRows(ctx, [row]);
  return view as GenerationView;
}
