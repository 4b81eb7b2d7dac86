import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { SpaceTemplate } from '../templates.ts';

/** The Spaces that one may choose from, oldest first, archived ones left out; consumes no read. */
export async function listSpaceNames(
  ctx: Context<AccountActor>,
): Promise<{ id: string; name: string; template: SpaceTemplate }[]> {
  return ctx.db.space.findMany({
    where: { accountId: ctx.actor.accountId, archivedAt: null },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true, name: true, template: true },
  });
}
