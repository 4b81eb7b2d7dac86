import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';

/** Names of the account's active founders, oldest first, at most five: those who can grant a right. */
export async function listFounderNames(ctx: Context<AccountActor>): Promise<string[]> {
  const founders = await ctx.db.member.findMany({
    where: { accountId: ctx.actor.accountId, role: 'FOUNDER', status: 'ACTIVE' },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: 5,
    select: { name: true },
  });
  return founders.map((founder) => founder.name);
}
