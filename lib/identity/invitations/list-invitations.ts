import type { PersonActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';

type InvitationView = {
  /** The member that the person would be. */
  memberId: string;
  accountName: string;
  /** Null: the operator of the service. */
  inviterName: string | null;
  role: 'FOUNDER' | 'MEMBER';
  endsAt: Date;
};

/** Invitations that are shown at once: the next ones follow as these are answered. */
export const INVITATIONS_SHOWN = 50;

/**
 * The invitations that wait for this person, the latest first: `INVITATIONS_SHOWN`, and one more where there are others. Those of a closed account
 * wait until it opens again.
 */
export async function listInvitations(ctx: Context<PersonActor>): Promise<InvitationView[]> {
  const rows = await ctx.kysely
    .selectFrom('Person as p')
    .innerJoin('Member as m', 'm.email', 'p.email')
    .innerJoin('Account as a', 'a.id', 'm.accountId')
    .leftJoin('Member as i', 'i.id', 'm.invitedById')
    .select([
      'm.id as memberId',
      'a.name as accountName',
      'i.name as inviterName',
      'm.role',
      'm.invitationEndsAt',
    ])
    .where('p.id', '=', ctx.actor.personId)
    .where('m.status', '=', 'INVITED')
    .where('m.invitationEndsAt', '>', ctx.clock.now())
    .where('a.closedAt', 'is', null)
    .orderBy('m.updatedAt', 'desc')
    .orderBy('m.id', 'desc')
    .limit(INVITATIONS_SHOWN + 1)
    .execute();
  return rows.map(({ invitationEndsAt, ...row }) => ({ ...row, endsAt: invitationEndsAt as Date }));
}
