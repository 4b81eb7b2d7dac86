import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { reachedBy } from '#lib/db/space-rights.ts';

/** The version numbers of the account's Spaces and of some of its Memories: each change gives another number. */
type ChangeState = { spaces: Map<string, number>; memories: Map<string, number> };

/**
 * The versions of the account's living Spaces within reach, and of those `memoryIds` that live in them; a Space's version grows with every
 * change of one of its Memories. `before`: what changed since that time is left out, so that it counts as changed afterwards. Consumes no
 * read: nothing is read but numbers.
 */
export async function readChanges(
  ctx: Context<AccountActor>,
  memoryIds: readonly string[],
  before?: Date,
): Promise<ChangeState> {
  const { accountId } = ctx.actor;
  const settled = before === undefined ? {} : { updatedAt: { lt: before } };
  const [spaces, memories] = await Promise.all([
    ctx.db.space.findMany({
      where: { accountId, archivedAt: null, AND: reachedBy('id', ctx.actor), ...settled },
      select: { id: true, version: true },
    }),
    memoryIds.length === 0
      ? []
      : ctx.db.memory.findMany({
          where: {
            id: { in: [...memoryIds] },
            accountId,
            deletedAt: null,
            space: { archivedAt: null },
            AND: reachedBy('spaceId', ctx.actor),
            ...settled,
          },
          select: { id: true, version: true },
        }),
  ]);
  const versions = (rows: readonly { id: string; version: number }[]) =>
    new Map(rows.map(({ id, version }) => [id, version]));
  return { spaces: versions(spaces), memories: versions(memories) };
}
