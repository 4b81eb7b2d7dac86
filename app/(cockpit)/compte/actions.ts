'use server';
import { revalidatePath } from 'next/cache';
import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { rereadOnConflict } from '#app/_cockpit/reread-on-conflict.ts';
import { callingBrowser } from '#app/_cockpit/verification/here.ts';
import { memberAction, memberCall } from '#lib/http/actions/member-action.ts';
import { shownFields } from '#lib/http/requests/shown-fields.ts';
import { postLater } from '#lib/http/runtime/mailer.ts';
import { isSecureService } from '#lib/http/sessions/member-session.ts';
import { nameProblem } from '#lib/identity/members/name-problem.ts';
import { updateProfile } from '#lib/identity/members/update-profile.ts';
import { addPasskey, beginPasskey } from '#lib/identity/passkeys/add-passkey.ts';
import { removePasskey } from '#lib/identity/passkeys/remove-passkey.ts';
import { madePasskey } from '#lib/identity/passkeys/schemas.ts';
import { revokeAllSessions, revokeSession } from '#lib/identity/sessions/revoke-session.ts';
import { sessionCookie } from '#lib/identity/sessions/session-cookie.ts';

export const saveProfile = memberAction({
  schema: z.object({ name: z.string(), shown: shownFields }),
  async run(ctx, input) {
    await updateProfile(ctx, input).catch(rereadOnConflict('/', 'layout'));
    revalidatePath('/', 'layout');
    return { message: 'Nom enregistré', data: { name: input.name.trim() } };
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

/** Checked before the device creates the passkey: one refused afterwards would stay on the device and open nothing. */
const passkeyName = z.string().superRefine((name, check) => {
  const message = nameProblem(name);
  if (message) check.addIssue({ code: 'custom', message });
});

/** The options with which the browser creates a passkey. */
export const startPasskey = memberCall({
  schema: z.object({ name: passkeyName }),
  async run(ctx) {
    const { secret, held, party } = await callingBrowser();
    return { data: await beginPasskey(ctx, { browser: held(), party: party() }, { secret }) };
  },
});

export const keepPasskey = memberCall({
  schema: z.object({ name: passkeyName, made: madePasskey }),
  async run(ctx, { name, made }) {
    const { secret, browser, party } = await callingBrowser();
    const post = (mail: Parameters<typeof postLater>[0]) => postLater(mail, ctx.requestId);
    await addPasskey(ctx, { name, made, browser, party: party() }, { secret, post });
    revalidatePath('/compte');
  },
});

export const deletePasskey = memberCall({
  whileClosed: true,
  schema: z.object({ passkeyId: z.string().max(40) }),
  async run(ctx, input) {
    const { name } = await removePasskey(ctx, input);
    revalidatePath('/compte');
    return { message: `Clé d’accès «\u00a0${name}\u00a0» retirée` };
  },
});
