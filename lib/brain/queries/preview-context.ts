import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { explainContext } from '../context/assemble.ts';
import { spaceNotFound } from '../not-found.ts';
import { PILLAR_ROLES, type PillarRole } from '../templates.ts';

/**
 * The very text that `GET /spaces/{id}/context` answers, with what became of each Memory; consumes no read.
 * Errors: `not_found` (archived Spaces too: they have no context).
 */
export async function previewContext(
  ctx: Context<AccountActor>,
  input: { spaceId: string; pillars?: readonly PillarRole[]; maxChars?: number },
) {
  const { accountId } = ctx.actor;
  const space = await ctx.db.space.findFirst({
    where: { id: input.spaceId, accountId, archivedAt: null },
    select: { id: true, name: true, template: true },
  });
  if (!space) throw spaceNotFound();
  const pillars = input.pillars ?? PILLAR_ROLES;
  const memories = await ctx.db.memory.findMany({
    where: { spaceId: space.id, accountId, deletedAt: null, role: { in: [...pillars] } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: {
      id: true,
      role: true,
      parentId: true,
      kind: true,
      title: true,
      body: true,
      source: true,
      createdAt: true,
      hasInvisible: true,
    },
  });
  return explainContext({
    space,
    pillars,
    memories,
    ...(input.maxChars === undefined ? {} : { maxChars: input.maxChars }),
  });
}
