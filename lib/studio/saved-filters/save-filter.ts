import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { transaction } from '#lib/db/transaction.ts';
import { countRows } from '#lib/db/values.ts';
import { lockFilters } from './lock-filters.ts';
import { MAX_FILTERS, requireJournal, requireName, requireQuery, type SavedFilter } from './saved-filters.ts';

/**
 * Saves filters of the journal under a name, for the member alone; a name that is used already is overwritten. Errors: `forbidden`,
 * `invalid` (`name`, `query`), `conflict` beyond 20.
 */
export async function saveFilter(
  ctx: Context<MemberActor>,
  input: { name: string; query: string },
): Promise<SavedFilter> {
  requireJournal(ctx);
  const name = requireName(input.name);
  const query = requireQuery(input.query);
  const { accountId, memberId } = ctx.actor;
  const now = ctx.clock.now();
  return transaction(ctx, async (tx) => {
    await lockFilters(tx, { accountId, memberId });
    const saved = await tx
      .insertInto('SavedFilter')
      .values({
        id: createId('savedFilter', now),
        ...{ accountId, memberId, name, query, createdAt: now, updatedAt: now },
      })
      .onConflict((conflict) => conflict.columns(['memberId', 'name']).doUpdateSet({ query, updatedAt: now }))
      .returning(['id', 'name', 'query'])
      .executeTakeFirstOrThrow();
    const { count } = await tx
      .selectFrom('SavedFilter')
      .select(countRows.as('count'))
      .where('memberId', '=', memberId)
      .executeTakeFirstOrThrow();
    if (count > MAX_FILTERS)
      throw new ServiceError('conflict', {
        message: `Vous gardez déjà ${MAX_FILTERS} filtres\u00a0: supprimez-en un d’abord.`,
      });
    return saved;
  });
}
