import type { AccountActor } from '#lib/core/actor.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { isAnyOf } from '#lib/db/values.ts';
import type { StudioContext } from '../context.ts';
import { GENERATION_COLUMNS, readGeneration } from '../generation/generation.ts';
import { completeDebited } from './complete-debited.ts';
import { debitOfOpen } from './journal-statements.ts';
import type { GenerationView } from './view.ts';
import { viewRows } from './view-rows.ts';

const findRows = prepared('studio.rows_by_id', (db, p: Params<{ accountId: string; ids: string[] }>) =>
  db
    .selectFrom('Generation')
    .select(GENERATION_COLUMNS)
    .select((eb) => debitOfOpen(eb as never, 'Generation').as('debitMicros'))
    .where('accountId', '=', p.accountId)
    .where(isAnyOf('id', p.ids)),
);

/** Some rows of the account, in the order asked; those that are not its own are left out. Asks no provider. At most 100. */
export async function listGenerationsById(
  ctx: StudioContext<AccountActor>,
  input: { generationIds: readonly string[] },
): Promise<GenerationView[]> {
  const ids = input.generationIds.slice(0, 100);
  const rows = await findRows.all(ctx.kysely, { accountId: ctx.actor.accountId, ids });
  const read = await Promise.all(
    rows.map(({ debitMicros, ...row }) => completeDebited(ctx, { row: readGeneration(row), debitMicros })),
  );
  const views = new Map((await viewRows(ctx, read)).map((view) => [view.id, view]));
  return ids.flatMap((id) => views.get(id) ?? []);
}
