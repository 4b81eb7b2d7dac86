import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { reachedBy } from '#lib/db/space-rights.ts';

/** Whether a living Memory of a Space that the caller reaches was added under this idempotency key, at `since` or later; consumes no read. */
export async function isAddedUnder(
  ctx: Context<AccountActor>,
  { key, since }: { key: string; since: Date },
): Promise<boolean> {
  const found = await ctx.db.memory.findFirst({
    where: {
      accountId: ctx.actor.accountId,
      idempotencyKey: key,
      deletedAt: null,
      createdAt: { gte: since },
      AND: reachedBy('spaceId', ctx.actor),
    },
    select: { id: true },
  });
  return found !== null;
}
