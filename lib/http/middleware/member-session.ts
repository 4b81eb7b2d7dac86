import type { MemberActor } from '#lib/core/actor.ts';
import { systemClock } from '#lib/core/clock.ts';
import { env } from '#lib/core/env.ts';
import { authenticateSession, type MemberProfile } from '#lib/identity/sessions/authenticate-session.ts';
import {
  isSecureService as isSecureAt,
  readSessionCookie,
  sessionCookieName,
} from '#lib/identity/sessions/session-cookie.ts';
import { connection } from '../runtime/connection.ts';

/** Whether cookies of this service are for https only. */
export function isSecureService(): boolean {
  const { SERVICE_PUBLIC_URL, VERCEL } = env();
  return isSecureAt(SERVICE_PUBLIC_URL, VERCEL !== undefined);
}

/** The member whose signed session cookie this is; null when the cookie or its row says no. */
export async function memberOfCookie(
  readCookie: (name: string) => string | undefined,
): Promise<{ actor: MemberActor; profile: MemberProfile } | null> {
  const value = readCookie(sessionCookieName(isSecureService()));
  if (!value) return null;
  const sessionId = await readSessionCookie(value, env().SERVICE_SESSION_SECRET);
  return sessionId ? authenticateSession({ ...connection(), clock: systemClock }, sessionId) : null;
}

/** Reads one cookie of a plain request. */
export function requestCookie(request: Request): (name: string) => string | undefined {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  return (name) => pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
