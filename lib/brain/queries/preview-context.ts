import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { reachedBy } from '#lib/db/space-rights.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { clampMaxChars, explainContext } from '../context/assemble.ts';
import { bodyCharsRead } from '../context/bodies.ts';
import { explainFocus } from '../context/focus.ts';
import { focusInput } from '../context/rank-answers.ts';
import type { ContextExplanation, ContextPayload } from '../context/types.ts';
import { spaceNotFound } from '../not-found.ts';
import { cutBody } from '../spaces/read-space.ts';
import { PILLAR_ROLES, type PillarRole } from '../templates.ts';

const readMemories = prepared(
  'preview-context',
  (db, p: Params<{ spaceId: string; accountId: string; roles: PillarRole[]; bodyChars: number }>) =>
    db
      .selectFrom('Memory as m')
      .select((eb) => [
        'm.id',
        'm.role',
        'm.parentId',
        'm.kind',
        'm.title',
        cutBody(eb.ref('m.body'), eb.ref('m.hasInvisible'), p.bodyChars).as('body'),
        'm.source',
        'm.createdAt',
        'm.hasInvisible',
      ])
      .where('m.spaceId', '=', p.spaceId)
      .where('m.accountId', '=', p.accountId)
      .where('m.deletedAt', 'is', null)
      .where(isAnyOf('m.role', p.roles, '"PillarRole"'))
      .orderBy('m.createdAt')
      .orderBy('m.id'),
);

/**
 * The very text that `GET /spaces/{id}/context` answers, with what became of each Memory; consumes no read. Of a long body only what the
 * text can show is read. `focused`: something answers `q`; `unmatched`: the words of `q` that no Memory of these pillars holds.
 * Errors: `not_found` (archived Spaces too: they have no context).
 */
export async function previewContext(
  ctx: Context<AccountActor>,
  input: { spaceId: string; pillars?: readonly PillarRole[]; maxChars?: number; q?: string | undefined },
): Promise<{
  payload: ContextPayload;
  memories: ContextExplanation[];
  focused: boolean;
  unmatched: string[];
}> {
  const { accountId } = ctx.actor;
  const space = await ctx.db.space.findFirst({
    where: { id: input.spaceId, accountId, archivedAt: null, AND: reachedBy('id', ctx.actor) },
    select: { id: true, name: true, template: true },
  });
  if (!space) throw spaceNotFound();
  const pillars = input.pillars ?? PILLAR_ROLES;
  const maxChars = clampMaxChars(input.maxChars);
  const memories = await readMemories.all(ctx.kysely, {
    spaceId: space.id,
    accountId,
    roles: [...pillars],
    bodyChars: bodyCharsRead(maxChars),
  });
  const asked = { space, pillars, memories, maxChars };
  if (input.q === undefined) return { ...explainContext(asked), focused: false, unmatched: [] };
  const focus = await focusInput(ctx, { ...asked, q: input.q });
  return { ...(await explainFocus(focus)), unmatched: focus.unmatchedWords };
}
