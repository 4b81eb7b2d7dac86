import type { MemberActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Transaction } from '#lib/db/types.ts';

/** The session has just proved who is there: for ten minutes it may do what asks for that. Audited `session.verified`. */
export async function markVerified(
  tx: Transaction,
  ctx: Context<MemberActor>,
  by: 'code' | 'passkey',
): Promise<void> {
  const { sessionId, accountId } = ctx.actor;
  const marked = await tx
    .updateTable('Session')
    .set({ verifiedAt: ctx.clock.now() })
    .where('id', '=', sessionId)
    .where('revokedAt', 'is', null)
    .executeTakeFirst();
  if (marked.numUpdatedRows === 0n) throw new ServiceError('unauthenticated');
  await recordAudits(tx, ctx, [
    { action: 'session.verified', accountId, subject: { type: 'session', id: sessionId }, data: { by } },
  ]);
}
