import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { SavedFilter } from './saved-filters.ts';
import { requireJournal } from './saved-filters.ts';

/** Deletes one of the member's saved filters; returns what it was, for an undo. Errors: `forbidden`, `not_found`. */
export async function deleteFilter(
  ctx: Context<MemberActor>,
  input: { savedFilterId: string },
): Promise<SavedFilter> {
  requireJournal(ctx);
  const { accountId, memberId } = ctx.actor;
  const deleted = await ctx.kysely
    .deleteFrom('SavedFilter')
    .where('id', '=', input.savedFilterId)
    .where('accountId', '=', accountId)
    .where('memberId', '=', memberId)
    .returning(['id', 'name', 'query'])
    .executeTakeFirst();
  if (!deleted) throw new ServiceError('not_found');
  return deleted;
}
