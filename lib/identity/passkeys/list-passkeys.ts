import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';

type PasskeyView = { id: string; name: string; createdAt: Date; lastUsedAt: Date | null };

/** The acting person's passkeys, in whichever account they were added: the newest first. */
export async function listPasskeys(ctx: Context<MemberActor>): Promise<PasskeyView[]> {
  return ctx.db.passkey.findMany({
    where: { person: { members: { some: { id: ctx.actor.memberId, accountId: ctx.actor.accountId } } } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    select: { id: true, name: true, createdAt: true, lastUsedAt: true },
  });
}
