import type { MemberActor } from '#lib/core/actor.ts';
import { recordAudit } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';

/**
 * Ends one of the member's own sessions; its next request is refused. Ending it twice is harmless.
 * Errors: `not_found` for a session that is not theirs.
 */
export async function revokeSession(ctx: Context<MemberActor>, input: { sessionId: string }): Promise<void> {
  const { accountId, memberId } = ctx.actor;
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.session.updateMany({
      where: { id: input.sessionId, accountId, memberId, revokedAt: null },
      data: { revokedAt: ctx.clock.now() },
    });
    if (count === 1) {
      await recordAudit(tx, ctx, {
        action: 'session.revoked',
        accountId,
        subject: { type: 'session', id: input.sessionId },
      });
      return;
    }
    if ((await tx.session.count({ where: { id: input.sessionId, accountId, memberId } })) === 0)
      throw new ServiceError('not_found', { message: 'Cette session est introuvable.' });
  });
}

/** Ends all of the member's sessions, this browser's included. Returns how many were still open. */
export async function revokeAllSessions(ctx: Context<MemberActor>): Promise<number> {
  const { accountId, memberId } = ctx.actor;
  const now = ctx.clock.now();
  return ctx.db.$transaction(async (tx) => {
    const { count } = await tx.session.updateMany({
      where: { accountId, memberId, revokedAt: null, expiresAt: { gt: now } },
      data: { revokedAt: now },
    });
    await recordAudit(tx, ctx, {
      action: 'session.revoked_all',
      accountId,
      subject: { type: 'member', id: memberId },
      data: { count },
    });
    return count;
  });
}
