import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';

/** Who is who in the account, for pages that say who did what: identifier and name, oldest first, at most 500. */
export async function listMemberNames(ctx: Context<AccountActor>): Promise<{ id: string; name: string }[]> {
  return ctx.db.member.findMany({
    where: { accountId: ctx.actor.accountId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
    take: 500,
    select: { id: true, name: true },
  });
}
