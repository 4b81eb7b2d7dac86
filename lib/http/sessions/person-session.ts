import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import type { PersonActor } from '#lib/core/actor.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { Context } from '#lib/core/context.ts';
import { env } from '#lib/core/env.ts';
import { authenticatePerson } from '#lib/identity/people/authenticate-person.ts';
import { readSessionCookie, sessionCookieName } from '#lib/identity/sessions/session-cookie.ts';
import { connection } from '../runtime/connection.ts';
import { createContext } from '../runtime/context.ts';
import { signInPath } from '../security/return-path.ts';
import { isSecureService } from './member-session.ts';

/** The person of this browser's session, whether or not an account was chosen in it; null without one. */
export async function currentPerson(): Promise<{ actor: PersonActor; email: string } | null> {
  const value = (await cookies()).get(sessionCookieName(isSecureService()))?.value;
  const sessionId = value && (await readSessionCookie(value, env().SERVICE_SESSION_SECRET));
  return sessionId ? authenticatePerson({ ...connection(), clock: systemClock }, sessionId) : null;
}

/** The same for a page; anyone else is sent to the sign-in page and comes back to `path`. */
export async function requirePerson(path: string): Promise<{ ctx: Context<PersonActor>; email: string }> {
  const person = await currentPerson();
  if (!person) redirect(signInPath(path));
  return { ctx: createContext(person.actor), email: person.email };
}
