import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { requireAsShown } from '#lib/core/input/as-shown.ts';
import type { Shown } from '#lib/core/input/shown-as.ts';
import { transaction } from '#lib/db/transaction.ts';
import { isUniqueViolation } from '#lib/db/unique-violation.ts';
import { lockFilters } from './lock-filters.ts';
import { nameTaken, requireJournal, requireName, type SavedFilter } from './saved-filters.ts';

/**
 * Gives one of the member's saved filters another name. Errors: `forbidden`, `invalid` (`name`, taken or too long), `not_found`, `conflict` when its name is no
 * longer as `shown`.
 */
export async function renameFilter(
  ctx: Context<MemberActor>,
  input: { savedFilterId: string; name: string; shown?: Shown | undefined },
): Promise<SavedFilter> {
  requireJournal(ctx);
  const name = requireName(input.name);
  const { accountId, memberId } = ctx.actor;
  const renamed = await transaction(ctx, async (tx) => {
    await lockFilters(tx, { accountId, memberId });
    const before = await tx
      .selectFrom('SavedFilter')
      .select('name')
      .where('id', '=', input.savedFilterId)
      .where('accountId', '=', accountId)
      .where('memberId', '=', memberId)
      .executeTakeFirst();
    if (before)
      requireAsShown(input.shown, {
        name: { what: 'Le nom de ce filtre a été changé', now: before.name, next: name },
      });
    return tx
      .updateTable('SavedFilter')
      .set({ name, updatedAt: ctx.clock.now() })
      .where('id', '=', input.savedFilterId)
      .where('accountId', '=', accountId)
      .where('memberId', '=', memberId)
      .returning(['id', 'name', 'query'])
      .executeTakeFirst();
  }).catch((error: unknown) => {
    throw isUniqueViolation(error) ? nameTaken() : error;
  });
  if (!renamed) throw new ServiceError('not_found');
  return renamed;
}
