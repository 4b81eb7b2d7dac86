import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { GENERATION_COLUMNS, type Generation, readGeneration } from './generation.ts';

const findRow = prepared('studio.row', (db, p: Params<{ id: string }>) =>
  db.selectFrom('Generation').select(GENERATION_COLUMNS).where('id', '=', p.id),
);

/** A row now, whatever its account; null when there is none. */
export async function readRow(
  ctx: Pick<Context, 'kysely'>,
  generationId: string,
): Promise<Generation | null> {
  const row = await findRow.first(ctx.kysely, { id: generationId });
  return row ? readGeneration(row) : null;
}

const findOwnRow = prepared('studio.own_row', (db, p: Params<{ id: string; accountId: string }>) =>
  db
    .selectFrom('Generation')
    .select(GENERATION_COLUMNS)
    .where('id', '=', p.id)
    .where('accountId', '=', p.accountId),
);

/** A row of the actor's account, or `not_found`. */
export async function findGeneration(
  ctx: Pick<Context<AccountActor>, 'actor' | 'kysely'>,
  generationId: string,
): Promise<Generation> {
  const row = await findOwnRow.first(ctx.kysely, { id: generationId, accountId: ctx.actor.accountId });
  if (!row) throw new ServiceError('not_found');
  return readGeneration(row);
}
