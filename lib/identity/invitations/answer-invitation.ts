import type { MemberActor, Permission, PersonActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { Transaction } from '#lib/db/types.ts';
import { notifyOfFounder, type Post } from '../notices/mail-notices.ts';

function gone(): ServiceError {
  return new ServiceError('not_found', {
    message:
      'Cette invitation n’est plus valable\u00a0: elle a été retirée, a déjà servi ou a plus de sept jours.',
  });
}

/** The pending invitation of the acting person; it matches nobody else's. */
function invited(tx: Transaction, ctx: Context<PersonActor>, memberId: string) {
  return tx
    .updateTable('Member')
    .from('Person')
    .where('Member.id', '=', memberId)
    .where('Member.status', '=', 'INVITED')
    .where('Member.invitationEndsAt', '>', ctx.clock.now())
    .where('Person.id', '=', ctx.actor.personId)
    .whereRef('Person.email', '=', 'Member.email')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('Account')
          .select('Account.id')
          .whereRef('Account.id', '=', 'Member.accountId')
          .where('Account.closedAt', 'is', null),
      ),
    );
}

/** Joins the account that invited this person, and goes on there in this session. Errors: `not_found` when it is no longer open. */
export async function acceptInvitation(
  ctx: Context<PersonActor>,
  input: { memberId: string },
  post?: Post,
): Promise<void> {
  const now = ctx.clock.now();
  const { personId, sessionId } = ctx.actor;
  const joined = await transaction(ctx, async (tx) => {
    // Before what refers to the person: an erasure locks their sessions, then the person.
    await tx.selectFrom('Session').select('id').where('id', '=', sessionId).forNoKeyUpdate().execute();
    const member = await invited(tx, ctx, input.memberId)
      .set({
        status: 'ACTIVE',
        personId,
        invitationEndsAt: null,
        lastSeenAt: now,
        updatedAt: now,
      })
      .returning(['Member.id', 'Member.accountId', 'Member.role', 'Member.permissions'])
      .executeTakeFirst();
    if (!member) throw gone();
    const { id: memberId, accountId, role } = member;
    await tx
      .updateTable('Session')
      .set({ memberId, accountId })
      .where('id', '=', sessionId)
      .where('personId', '=', personId)
      .execute();
    const permissions = member.permissions as Permission[];
    const who = { type: 'member' as const, sessionId, accountId, memberId, role, permissions };
    // `operator` is not looked up: this actor is used for one audit entry only.
    const actor: MemberActor = { ...who, operator: false };
    await recordAudits(tx, { ...ctx, actor }, [
      { action: 'member.joined', accountId, subject: { type: 'member', id: memberId } },
    ]);
    return { accountId, memberId, role };
  });
  if (joined.role === 'FOUNDER') await notifyOfFounder(ctx.kysely, post, joined);
}

/** Refuses an invitation: nothing of the address is kept in the account. Errors: `not_found` when it is no longer open. */
export async function declineInvitation(
  ctx: Context<PersonActor>,
  input: { memberId: string },
): Promise<void> {
  await transaction(ctx, async (tx) => {
    const member = await invited(tx, ctx, input.memberId)
      .set({ status: 'REMOVED', email: null, invitationEndsAt: null, updatedAt: ctx.clock.now() })
      .returning(['Member.id', 'Member.accountId'])
      .executeTakeFirst();
    if (!member) throw gone();
    await recordAudits(tx, ctx, [
      {
        action: 'member.invitation_declined',
        accountId: member.accountId,
        subject: { type: 'member', id: member.id },
      },
    ]);
  });
}
