import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';

/** Hides or shows this member's list of first steps. */
export async function hideFirstSteps(ctx: Context<MemberActor>, input: { hidden: boolean }): Promise<void> {
  const { accountId, memberId } = ctx.actor;
  await ctx.kysely
    .updateTable('Member')
    .set({ firstStepsHiddenAt: input.hidden ? ctx.clock.now() : null })
    .where('id', '=', memberId)
    .where('accountId', '=', accountId)
    .execute();
}
