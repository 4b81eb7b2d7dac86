import type { MemberActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { transaction } from '#lib/db/transaction.ts';

/**
 * Goes on in another account of the same person, in this session: `memberId` names the person's member there.
 * Errors: `not_found` for anybody else's member, or one that is not active.
 */
export async function switchAccount(ctx: Context<MemberActor>, input: { memberId: string }): Promise<void> {
  await transaction(ctx, async (tx) => {
    const chosen = await tx
      .updateTable('Session')
      .from('Member')
      .set((eb) => ({ memberId: eb.ref('Member.id'), accountId: eb.ref('Member.accountId') }))
      .where('Session.id', '=', ctx.actor.sessionId)
      .where('Member.id', '=', input.memberId)
      .where('Member.status', '=', 'ACTIVE')
      .whereRef('Member.personId', '=', 'Session.personId')
      .returning('Member.accountId')
      .executeTakeFirst();
    if (!chosen) throw new ServiceError('not_found', { message: 'Vous n’êtes pas membre de ce compte.' });
    await recordAudits(
      tx,
      { ...ctx, actor: { ...ctx.actor, memberId: input.memberId, accountId: chosen.accountId } },
      [
        {
          action: 'session.account_chosen',
          accountId: chosen.accountId,
          subject: { type: 'session', id: ctx.actor.sessionId },
        },
      ],
    );
  });
}
