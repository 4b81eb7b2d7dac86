import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { reachedBy } from '#lib/db/space-rights.ts';
import { clampMaxChars, explainContext } from '../context/assemble.ts';
import { explainFocus } from '../context/focus.ts';
import { focusInput } from '../context/rank-answers.ts';
import type { ContextExplanation, ContextPayload } from '../context/types.ts';
import { spaceNotFound } from '../not-found.ts';
import { PILLAR_ROLES, type PillarRole } from '../templates.ts';

/**
 * The very text that `GET /spaces/{id}/context` answers, with what became of each Memory; consumes no read. `focused`: something answers `q`.
 * Errors: `not_found` (archived Spaces too: they have no context).
 */
export async function previewContext(
  ctx: Context<AccountActor>,
  input: { spaceId: string; pillars?: readonly PillarRole[]; maxChars?: number; q?: string | undefined },
): Promise<{ payload: ContextPayload; memories: ContextExplanation[]; focused: boolean }> {
  const { accountId } = ctx.actor;
  const space = await ctx.db.space.findFirst({
    where: { id: input.spaceId, accountId, archivedAt: null, AND: reachedBy('id', ctx.actor) },
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
  const asked = { space, pillars, memories, maxChars: clampMaxChars(input.maxChars) };
  if (input.q === undefined) return { ...explainContext(asked), focused: false };
  return explainFocus(await focusInput(ctx, { ...asked, q: input.q }));
}
