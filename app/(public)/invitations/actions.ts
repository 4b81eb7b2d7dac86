'use server';
import { z } from 'zod';
import { personCall } from '#lib/http/actions/person-action.ts';
import { postLater } from '#lib/http/runtime/mailer.ts';
import { acceptInvitation, declineInvitation } from '#lib/identity/invitations/answer-invitation.ts';
import { switchAccount } from '#lib/identity/people/switch-account.ts';

const schema = z.object({ memberId: z.string() });

/** Joins the account, and goes on there in this session. */
export const accept = personCall({
  schema,
  run: (ctx, input) => acceptInvitation(ctx, input, (mail) => postLater(mail, ctx.requestId)),
});

export const decline = personCall({
  schema,
  async run(ctx, input) {
    await declineInvitation(ctx, input);
    return { message: 'Invitation refusée' };
  },
});

/** Goes on, in this session, in an account that the person belongs to already. */
export const enter = personCall({ schema, run: (ctx, input) => switchAccount(ctx, input) });
