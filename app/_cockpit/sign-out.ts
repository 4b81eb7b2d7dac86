'use server';
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { createContext } from '#lib/http/runtime/context.ts';
import { isSameOrigin } from '#lib/http/security/same-origin.ts';
import { isSecureService } from '#lib/http/sessions/member-session.ts';
import { currentPerson } from '#lib/http/sessions/person-session.ts';
import { endOwnSession } from '#lib/identity/sessions/revoke-session.ts';
import { sessionCookie } from '#lib/identity/sessions/session-cookie.ts';

/** Ends this browser's session and goes to the sign-in page. Without a session it only goes there. */
export async function signOut(): Promise<void> {
  if (isSameOrigin({ headers: await headers() })) {
    const person = await currentPerson();
    if (person) await endOwnSession(createContext(person.actor));
    (await cookies()).set(sessionCookie('', isSecureService()));
  }
  redirect('/connexion');
}
