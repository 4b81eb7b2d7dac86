'use server';
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { isSecureService, memberOfCookie } from '#lib/http/middleware/member-session.ts';
import { createContext } from '#lib/http/runtime/context.ts';
import { isSameOrigin } from '#lib/http/security/same-origin.ts';
import { revokeSession } from '#lib/identity/sessions/revoke-session.ts';
import { sessionCookie } from '#lib/identity/sessions/session-cookie.ts';

/** Ends this browser's session and goes to the sign-in page. Without a session it only goes there. */
export async function signOut(): Promise<void> {
  if (isSameOrigin({ headers: await headers() })) {
    const store = await cookies();
    const member = await memberOfCookie((name) => store.get(name)?.value);
    if (member) await revokeSession(createContext(member.actor), { sessionId: member.actor.sessionId });
    store.set(sessionCookie('', isSecureService()));
  }
  redirect('/connexion');
}
