import type { Context } from '#lib/core/context.ts';

/** Whether the member who acts has given this client a consent that is not revoked. Nobody else's consent counts. */
export async function hasConsented(ctx: Context, clientId: string): Promise<boolean> {
  if (ctx.actor.type !== 'member') return false;
  const { accountId, memberId } = ctx.actor;
  const grant = await ctx.db.oAuthGrant.findFirst({
    where: { accountId, memberId, clientId, revokedAt: null },
    select: { id: true },
  });
  return grant !== null;
}
