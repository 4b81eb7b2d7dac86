'use server';
import { revalidatePath } from 'next/cache';
import { headers } from 'next/headers';
import { z } from 'zod';
import { rereadOnConflict } from '#app/_cockpit/reread-on-conflict.ts';
import { GRANTABLE_PERMISSIONS } from '#lib/core/actor.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import { memberAction, memberCall } from '#lib/http/actions/member-action.ts';
import { postLater } from '#lib/http/runtime/mailer.ts';
import { pageOrigin } from '#lib/http/security/origin.ts';
import { currentMember } from '#lib/http/sessions/page-member.ts';
import { chosenSpaces, spacesFields } from '#lib/identity/chosen-spaces.ts';
import { eraseMember } from '#lib/identity/members/erase-member.ts';
import { inviteMember } from '#lib/identity/members/invite-member.ts';
import { removeMember } from '#lib/identity/members/remove-member.ts';
import { resendInvitation } from '#lib/identity/members/resend-invitation.ts';
import { unblockSignIn } from '#lib/identity/members/unblock-sign-in.ts';
import { reactivateMember, suspendMember, updateMember } from '#lib/identity/members/update-member.ts';
import { invitationMail } from '#lib/identity/sign-in/sign-in-mail.ts';

async function mailInvitation(requestId: string, to: { email: string; name: string }): Promise<void> {
  const inviter = await currentMember();
  const origin = pageOrigin(await headers());
  postLater(
    invitationMail({
      to: to.email,
      name: to.name,
      inviter: inviter?.profile.name ?? 'Un fondateur',
      accountName: inviter?.profile.accountName ?? 'Atelier',
      signInUrl: `${origin}/connexion?retour=/invitations`,
    }),
    requestId,
  );
}

const role = z.enum(['FOUNDER', 'MEMBER'], 'Choisissez un rôle.');
const permissions = z.array(z.enum(GRANTABLE_PERMISSIONS as [(typeof GRANTABLE_PERMISSIONS)[number]]));

export const invite = memberAction({
  permission: 'members.manage',
  schema: z.object({ email: z.string(), name: z.string(), role, permissions, ...spacesFields }),
  async run(ctx, input) {
    const { accountId } = ctx.actor;
    const member = await inviteMember(ctx, { ...input, accountId, spaces: chosenSpaces(input) });
    await mailInvitation(ctx.requestId, member);
    revalidatePath('/equipe');
    return { message: `Invitation envoyée à ${member.email}` };
  },
});

export const changeMember = memberAction({
  permission: 'members.manage',
  schema: z.object({
    memberId: z.string(),
    /** The `editedState` of the form when it opened. */
    opened: z.string().max(100_000).optional(),
    name: z.string(),
    role,
    permissions,
    ...spacesFields,
  }),
  async run(ctx, input) {
    const change = { ...input, accountId: ctx.actor.accountId, spaces: chosenSpaces(input) };
    const post = (mail: Mail) => postLater(mail, ctx.requestId);
    await updateMember(ctx, change, post).catch(rereadOnConflict('/equipe'));
    revalidatePath('/equipe');
    return { message: 'Membre modifié' };
  },
});

const target = z.object({ memberId: z.string() });

export const suspend = memberCall({
  permission: 'members.manage',
  schema: target,
  async run(ctx, input) {
    await suspendMember(ctx, { ...input, accountId: ctx.actor.accountId });
    revalidatePath('/equipe');
    return { message: 'Membre suspendu' };
  },
});

export const unblock = memberCall({
  permission: 'members.manage',
  schema: target,
  async run(ctx, input) {
    await unblockSignIn(ctx, { ...input, accountId: ctx.actor.accountId });
    revalidatePath('/equipe');
    return { message: 'Connexion débloquée' };
  },
});

export const remove = memberCall({
  permission: 'members.manage',
  schema: target,
  async run(ctx, input) {
    const { wasInvited } = await removeMember(ctx, { ...input, accountId: ctx.actor.accountId });
    revalidatePath('/equipe');
    return { message: wasInvited ? 'Invitation retirée' : 'Retiré du compte' };
  },
});

export const erase = memberCall({
  permission: 'members.manage',
  schema: target,
  async run(ctx, input) {
    await eraseMember(ctx, { ...input, accountId: ctx.actor.accountId });
    revalidatePath('/equipe');
    return { message: 'Membre effacé' };
  },
});

export const resend = memberCall({
  permission: 'members.manage',
  schema: target,
  async run(ctx, input) {
    const member = await resendInvitation(ctx, { ...input, accountId: ctx.actor.accountId });
    await mailInvitation(ctx.requestId, member);
    revalidatePath('/equipe');
    return { message: `Invitation renvoyée à ${member.email}` };
  },
});

export const reactivate = memberCall({
  permission: 'members.manage',
  schema: target,
  async run(ctx, input) {
    await reactivateMember(ctx, { ...input, accountId: ctx.actor.accountId }, (mail) =>
      postLater(mail, ctx.requestId),
    );
    revalidatePath('/equipe');
    return { message: 'Membre réactivé' };
  },
});
