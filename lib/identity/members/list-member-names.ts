import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';

export type MemberName = { id: string; name: string; isRemoved: boolean };

/** The identifier and name of every member of the account, former ones included, oldest first, for pages that show authors. */
export async function listMemberNames(ctx: Context<AccountActor>): Promise<MemberName[]> {
  const members = await ctx.db.member.findMany({
    where: { accountId: ctx.actor.accountId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    select: { id: true, name: true, status: true },
  });
  return members.map(({ id, name, status }) => ({ id, name, isRemoved: status === 'REMOVED' }));
}
