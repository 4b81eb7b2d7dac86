import type { AccountActor } from '#lib/core/actor.ts';
import { erasedBefore } from '#lib/core/bin-time.ts';
import type { Context } from '#lib/core/context.ts';
import { reachedBy } from '#lib/db/space-rights.ts';

export type DeletedMemory = { id: string; title: string; deletedAt: Date; deletionId: string };

/**
 * A Memory of this Space that was deleted, and the deletion by which `undoDelete` brings it back; null when it is live, past its 30 days,
 * or in no Space that the actor reaches.
 */
export async function findDeleted(
  ctx: Context<AccountActor>,
  input: { spaceId: string; memoryId: string },
): Promise<DeletedMemory | null> {
  const row = await ctx.db.memory.findFirst({
    where: {
      id: input.memoryId,
      spaceId: input.spaceId,
      accountId: ctx.actor.accountId,
      deletedAt: { gte: erasedBefore(ctx.clock.now()) },
      deletionId: { not: null },
      AND: reachedBy('spaceId', ctx.actor),
    },
    select: { id: true, title: true, deletedAt: true, deletionId: true },
  });
  return row?.deletedAt && row.deletionId
    ? { id: row.id, title: row.title, deletedAt: row.deletedAt, deletionId: row.deletionId }
    : null;
}
