import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';

type MemberName = { id: string; name: string; isRemoved: boolean };

/** Who is who in the account, for pages that say who did what: identifier and name, oldest first, all of them, those who left too. */
export async function listMemberNames(ctx: Context<AccountActor>): Promise<MemberName[]> {
  const members = await ctx.db.member.findMany({
    where: { accountId: ctx.actor.accountId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true, name: true, status: true },
  });
  return members.map(({ id, name, status }) => ({ id, name, isRemoved: status === 'REMOVED' }));
}
