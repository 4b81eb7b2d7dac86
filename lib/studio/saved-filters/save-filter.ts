import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { requireAsShown } from '#lib/core/input/as-shown.ts';
import type { Shown } from '#lib/core/input/shown-as.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import { countRows } from '#lib/db/values.ts';
import { lockFilters } from './lock-filters.ts';
import { MAX_FILTERS, requireJournal, requireName, requireQuery, type SavedFilter } from './saved-filters.ts';

/**
 * Saves filters of the journal under a name, for the member alone; a name that is used already is overwritten, where `shown` (the filters that the page showed,
 * by name) holds what it names. Errors: `forbidden`, `invalid` (`name`, `query`), `conflict` beyond 20, or for a name that was given since.
 */
export async function saveFilter(
  ctx: Context<MemberActor>,
  input: { name: string; query: string; shown?: Shown | undefined },
): Promise<SavedFilter> {
  requireJournal(ctx);
  const name = requireName(input.name);
  const query = requireQuery(input.query);
  const { accountId, memberId } = ctx.actor;
  const now = ctx.clock.now();
  return transaction(ctx, async (tx) => {
    await lockFilters(tx, { accountId, memberId });
    await requireNameAsShown(tx, ctx, { name, query, shown: input.shown });
    const saved = await tx
      .insertInto('SavedFilter')
      .values({
        id: createId('savedFilter', now),
        accountId,
        memberId,
        name,
        query,
        createdAt: now,
        updatedAt: now,
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

async function requireNameAsShown(
  tx: Transaction,
  { actor }: Context<MemberActor>,
  { name, query, shown }: { name: string; query: string; shown: Shown | undefined },
): Promise<void> {
  if (!shown) return;
  const taken = await tx
    .selectFrom('SavedFilter')
    .select('query')
    .where('accountId', '=', actor.accountId)
    .where('memberId', '=', actor.memberId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (!taken) return;
  const before = Object.hasOwn(shown, name) ? shown[name] : undefined;
  const what = `Votre filtre «\u00a0${name}\u00a0» a été enregistré`;
  requireAsShown({ name: before ?? '' }, { name: { what, now: taken.query, next: query } });
}
