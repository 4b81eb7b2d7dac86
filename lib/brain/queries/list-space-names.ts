import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { reachedBy } from '#lib/db/space-rights.ts';
import type { SpaceTemplate } from '../templates.ts';

/** The Spaces that one may choose from, those within reach, oldest first, archived ones left out; consumes no read. */
export async function listSpaceNames(
  ctx: Context<AccountActor>,
): Promise<{ id: string; name: string; template: SpaceTemplate }[]> {
  return ctx.db.space.findMany({
    where: { accountId: ctx.actor.accountId, archivedAt: null, AND: reachedBy('id', ctx.actor) },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true, name: true, template: true },
  });
}
