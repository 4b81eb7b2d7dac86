'use server';
import { revalidatePath } from 'next/cache';
import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { memberAction, memberCall } from '#lib/http/actions/member-action.ts';
import { isSecureService } from '#lib/http/sessions/member-session.ts';
import { updateProfile } from '#lib/identity/members/update-profile.ts';
import { revokeAllSessions, revokeSession } from '#lib/identity/sessions/revoke-session.ts';
import { sessionCookie } from '#lib/identity/sessions/session-cookie.ts';

export const saveProfile = memberAction({
  schema: z.object({ name: z.string() }),
  async run(ctx, input) {
    await updateProfile(ctx, input);
    revalidatePath('/', 'layout');
    return { message: 'Nom enregistré' };
  },
});

export const closeSession = memberCall({
  whileClosed: true,
  schema: z.object({ sessionId: z.string() }),
  async run(ctx, input) {
    await revokeSession(ctx, input);
    revalidatePath('/compte');
    return { message: 'Session fermée' };
  },
});

export const signOutEverywhere = memberCall({
  whileClosed: true,
  schema: z.object({ withCredentials: z.boolean().optional() }),
  async run(ctx, { withCredentials = false }) {
    await revokeAllSessions(ctx, { withCredentials });
    (await cookies()).set(sessionCookie('', isSecureService()));
    redirect('/connexion');
  },
});
