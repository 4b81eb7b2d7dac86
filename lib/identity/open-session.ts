import type { Context } from '#lib/core/context.ts';
import type { Database, Transaction } from '#lib/core/database.ts';
import { createId } from '#lib/core/ids.ts';
import { SESSION_LIFETIME_MS } from './session-cookie.ts';

/** Opens a session of an active member, for 30 days from its last visit. Returns its identifier, to be signed into a cookie. */
export async function openSession(
  ctx: Pick<Context, 'clock'> & { db: Database | Transaction },
  input: { accountId: string; memberId: string; userAgent?: string; network?: string },
): Promise<{ sessionId: string; expiresAt: Date }> {
  const now = ctx.clock.now();
  const sessionId = createId('session', now);
  const expiresAt = new Date(now.getTime() + SESSION_LIFETIME_MS);
  await ctx.db.session.create({
    data: {
      id: sessionId,
      accountId: input.accountId,
      memberId: input.memberId,
      createdAt: now,
      lastSeenAt: now,
      expiresAt,
      userAgent: (input.userAgent ?? '').slice(0, 300),
      network: input.network ?? '',
    },
  });
  return { sessionId, expiresAt };
}
