import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';

type SessionView = {
  id: string;
  isCurrent: boolean;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
  userAgent: string;
  network: string;
};

/** Sessions that are shown, the others being ended with all of them. */
export const SESSIONS_SHOWN = 100;

/**
 * The person's open sessions, whatever account was chosen in them: this browser's first, then the latest seen. `SESSIONS_SHOWN`, and one more
 * where there are others.
 */
export async function listSessions(ctx: Context<MemberActor>): Promise<SessionView[]> {
  const rows = await ctx.db.session.findMany({
    where: {
      person: { members: { some: { id: ctx.actor.memberId, accountId: ctx.actor.accountId } } },
      revokedAt: null,
      expiresAt: { gt: ctx.clock.now() },
    },
    orderBy: [{ lastSeenAt: 'desc' }, { id: 'desc' }],
    take: SESSIONS_SHOWN + 1,
    select: { id: true, createdAt: true, lastSeenAt: true, expiresAt: true, userAgent: true, network: true },
  });
  const sessions = rows.map((row) => ({ ...row, isCurrent: row.id === ctx.actor.sessionId }));
  return sessions.sort((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
}
