import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { asCounted } from '#lib/db/values.ts';
import { MAX_FILTERS, type SavedFilter } from './saved-filters.ts';

const findFilters = prepared(
  'studio.saved_filters',
  (db, p: Params<{ accountId: string; memberId: string }>) =>
    db
      .selectFrom('SavedFilter')
      .select(['id', 'name', 'query'])
      .where('accountId', '=', p.accountId)
      .where('memberId', '=', p.memberId)
      .orderBy((eb) => asCounted(eb.ref('name')))
      .orderBy('name')
      .limit(MAX_FILTERS),
);

/** The member's own saved filters, by name. */
export function listFilters(ctx: Context<MemberActor>): Promise<SavedFilter[]> {
  const { accountId, memberId } = ctx.actor;
  return findFilters.all(ctx.kysely, { accountId, memberId });
}
