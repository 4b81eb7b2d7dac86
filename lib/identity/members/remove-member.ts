import { recordAudits } from '#lib/core/audit.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { transaction } from '#lib/db/transaction.ts';
import { isAnyLocked } from '#lib/db/values.ts';
import { liveGrants, liveKeys } from '../sessions/live-credentials.ts';
import { endSessions } from '../sessions/revoke-session.ts';
import { type Ctx, LAST_FOUNDER, lockMembers, type Target } from './update-member.ts';

/**
 * Removes a member, or withdraws an invitation: sessions in this account end, keys and applications are revoked for good, and what
 * they made keeps their name, without an address. The person stays a member elsewhere, and may be invited again. Says which of the two it was.
 * Errors: `forbidden`, `not_found`, `conflict` for oneself or the last active founder.
 */
export async function removeMember(ctx: Ctx, input: Target): Promise<{ wasInvited: boolean }> {
  if ('memberId' in ctx.actor && ctx.actor.memberId === input.memberId)
    throw new ServiceError('conflict', {
      message: 'Vous ne pouvez pas vous retirer vous-même\u00a0: demandez-le à un autre fondateur.',
    });
  const now = ctx.clock.now();
  return transaction(ctx, async (tx) => {
    const { member, isLastFounder } = await lockMembers(tx, ctx, input);
    if (isLastFounder) throw new ServiceError('conflict', { message: LAST_FOUNDER });
    await tx
      .updateTable('Member')
      .set({ status: 'REMOVED', personId: null, email: null, invitationEndsAt: null, updatedAt: now })
      .where('id', '=', member.id)
      .execute();
    await endSessions(tx, { memberId: member.id, now });
    const keys = await tx
      .updateTable('DeveloperKey')
      .set({ revokedAt: now })
      .where(isAnyLocked('id', liveKeys(tx, member.id)))
      .executeTakeFirst();
    const grants = await tx
      .updateTable('OAuthGrant')
      .set({ revokedAt: now, revokedBy: 'MEMBER_REMOVED' })
      .where(isAnyLocked('id', liveGrants(tx, member.id)))
      .executeTakeFirst();
    await recordAudits(tx, ctx, [
      {
        action: 'member.removed',
        accountId: input.accountId,
        subject: { type: 'member', id: member.id },
        data: {
          keysRevoked: Number(keys.numUpdatedRows),
          applicationsRevoked: Number(grants.numUpdatedRows),
        },
      },
    ]);
    return { wasInvited: member.status === 'INVITED' };
  });
}
