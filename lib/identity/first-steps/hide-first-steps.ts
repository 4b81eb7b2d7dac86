import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';

/** Puts the list of first steps away for this member, or back. */
export async function hideFirstSteps(ctx: Context<MemberActor>, input: { hidden: boolean }): Promise<void> {
  const { accountId, memberId } = ctx.actor;
  await ctx.kysely
    .updateTable('Member')
    .set({ firstStepsHiddenAt: input.hidden ? ctx.clock.now() : null })
    .where('id', '=', memberId)
    .where('accountId', '=', accountId)
    .execute();
}
