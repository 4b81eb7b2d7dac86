import type { MemberActor, PersonActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { transaction } from '#lib/db/transaction.ts';

/**
 * Goes on in another account of the same person, in this session, also in one where none is chosen any more: `memberId` names the
 * person's member there. Errors: `not_found` for anybody else's member, or one that is not active.
 */
export async function switchAccount(
  ctx: Context<MemberActor | PersonActor>,
  input: { memberId: string },
): Promise<void> {
  const { sessionId } = ctx.actor;
  const { memberId } = input;
  await transaction(ctx, async (tx) => {
    // Whoever suspends or removes that member ends the sessions of theirs that there are: this one is among them, or comes too late.
    await tx
      .selectFrom('Member')
      .select('id')
      .where('id', '=', memberId)
      .where('status', '=', 'ACTIVE')
      .forShare()
      .execute();
    const chosen = await tx
      .updateTable('Session')
      .from('Member')
      .set((eb) => ({ memberId: eb.ref('Member.id'), accountId: eb.ref('Member.accountId') }))
      .where('Session.id', '=', sessionId)
      .where('Member.id', '=', memberId)
      .where('Member.status', '=', 'ACTIVE')
      .whereRef('Member.personId', '=', 'Session.personId')
      .returning(['Member.accountId', 'Member.role'])
      .executeTakeFirst();
    if (!chosen) throw new ServiceError('not_found', { message: 'Vous n’êtes pas membre de ce compte.' });
    const { accountId, role } = chosen;
    const who = { type: 'member' as const, sessionId, accountId, memberId, role, permissions: [] };
    // `operator` is not looked up: this actor is used for one audit entry only.
    const actor: MemberActor = { ...who, operator: false };
    await recordAudits(tx, { ...ctx, actor }, [
      { action: 'session.account_chosen', accountId, subject: { type: 'session', id: sessionId } },
    ]);
  });
}
