import { recordAudits } from '#lib/core/audit.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import { transaction } from '#lib/db/transaction.ts';
import { INVITATION_LIFETIME_MS } from '../invitations/invitation-rules.ts';
import { countInvitation } from './invite-member.ts';
import { type Ctx, lockMembers, type Target } from './update-member.ts';

/**
 * Opens an invitation for seven more days; the caller mails it again. Counts among the account's twenty a day.
 * Errors: `forbidden`, `not_found`, `verification_required` for a founder, `conflict` for a member who joined already or answers meanwhile, `rate_limited`.
 */
export async function resendInvitation(ctx: Ctx, input: Target): Promise<{ email: string; name: string }> {
  const now = ctx.clock.now();
  return transaction(ctx, async (tx) => {
    const { member } = await lockMembers(tx, ctx, input);
    if (member.status !== 'INVITED' || member.email === null)
      throw new ServiceError('conflict', { message: 'Ce membre a déjà rejoint le compte.' });
    if (member.role === 'FOUNDER') requireRecentVerification(ctx);
    if (ctx.actor.type !== 'admin') await countInvitation(tx, { accountId: input.accountId, now });
    // The addressee takes no lock on the account, and may have answered since the row was read.
    const open = await tx
      .updateTable('Member')
      .set({ invitationEndsAt: new Date(now.getTime() + INVITATION_LIFETIME_MS), updatedAt: now })
      .where('id', '=', member.id)
      .where('status', '=', 'INVITED')
      .executeTakeFirst();
    if (open.numUpdatedRows === 0n)
      throw new ServiceError('conflict', {
        message: 'Cette invitation vient de recevoir sa réponse\u00a0: rien n’a été envoyé.',
      });
    await recordAudits(tx, ctx, [
      {
        action: 'member.invited',
        accountId: input.accountId,
        subject: { type: 'member', id: member.id },
        data: { role: member.role, permissions: member.permissions },
      },
    ]);
    return { email: member.email, name: member.name };
  });
}
