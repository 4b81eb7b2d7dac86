import type { AdminActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { Executor, Transaction } from '#lib/db/types.ts';
import { SESSION_LIFETIME_MS } from './session-cookie.ts';

type Opened = { sessionId: string; expiresAt: Date };

/** Opens a session of an active member, for 30 days from its last visit. Returns its identifier, to be signed into a cookie. */
export async function openSession(
  ctx: Pick<Context, 'clock'> & { kysely: Executor },
  input: { accountId: string; memberId: string; userAgent?: string; network?: string },
): Promise<Opened> {
  const now = ctx.clock.now();
  const sessionId = createId('session', now);
  const expiresAt = new Date(now.getTime() + SESSION_LIFETIME_MS);
  await ctx.kysely
    .insertInto('Session')
    .values({
      id: sessionId,
      accountId: input.accountId,
      memberId: input.memberId,
      createdAt: now,
      lastSeenAt: now,
      expiresAt,
      userAgent: (input.userAgent ?? '').slice(0, 300),
      network: input.network ?? '',
    })
    .execute();
  return { sessionId, expiresAt };
}

/**
 * Lets a member in, in the caller's transaction: an invited one becomes active, a session is opened, both audited. Null when
 * the member is suspended, or was in this very moment.
 */
export async function signMemberIn(
  tx: Transaction,
  ctx: Context,
  member: { id: string; accountId: string; status: 'INVITED' | 'ACTIVE' | 'SUSPENDED' },
  from: { userAgent?: string; network?: string },
): Promise<Opened | null> {
  const now = ctx.clock.now();
  const { accountId } = member;
  if (member.status === 'SUSPENDED') return null;
  if (member.status === 'INVITED') {
    const joined = await tx
      .updateTable('Member')
      .set({ status: 'ACTIVE', updatedAt: now })
      .where('id', '=', member.id)
      .where('status', '=', 'INVITED')
      .executeTakeFirst();
    if (joined.numUpdatedRows === 0n) return null;
    await recordAudits(tx, ctx, [
      { action: 'member.joined', accountId, subject: { type: 'member', id: member.id } },
    ]);
  }
  await tx.updateTable('Member').set({ lastSeenAt: now }).where('id', '=', member.id).execute();
  const session = await openSession(
    { clock: ctx.clock, kysely: tx },
    { accountId, memberId: member.id, ...from },
  );
  await recordAudits(tx, ctx, [
    { action: 'session.opened', accountId, subject: { type: 'session', id: session.sessionId } },
  ]);
  return session;
}

/** Opens a session for a member of the account, from the shell. Errors: `not_found`, `conflict` for a suspended member. */
export async function openSessionFor(
  ctx: Context<AdminActor>,
  input: { accountId: string; memberId: string; userAgent: string },
): Promise<Opened> {
  return transaction(ctx, async (tx) => {
    const member = await tx
      .selectFrom('Member')
      .select(['id', 'accountId', 'status'])
      .where('id', '=', input.memberId)
      .where('accountId', '=', input.accountId)
      .executeTakeFirst();
    if (!member) throw new ServiceError('not_found');
    const session = await signMemberIn(tx, ctx, member, { userAgent: input.userAgent });
    if (!session) throw new ServiceError('conflict', { message: 'Ce membre est suspendu.' });
    return session;
  });
}
