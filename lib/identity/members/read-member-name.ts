import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';

/** The name of a member of the account; their address when they gave none. A stranger answers `not_found`. */
export async function readMemberName(
  ctx: Context<AccountActor>,
  input: { memberId: string },
): Promise<string> {
  const member = await ctx.db.member.findFirst({
    where: { id: input.memberId, accountId: ctx.actor.accountId },
    select: { name: true, email: true },
  });
  if (!member) throw new ServiceError('not_found');
  return member.name || (member.email ?? 'un ancien membre');
}
