import type { MemberActor } from '#lib/core/actor.ts';
import { systemClock } from '#lib/core/clock.ts';
import { env } from '#lib/core/env.ts';
import { type RateCounts, rateRefusal } from '#lib/identity/rate/rate-limit.ts';
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

/**
 * The member of a signed session cookie, counted as one request; null when the cookie is not valid or its session has ended. The caller checks
 * `rate` before any work.
 */
export async function countedMember(
  readCookie: (name: string) => string | undefined,
  options: { isWrite: boolean },
): Promise<{ actor: MemberActor; profile: MemberProfile; rate: RateCounts } | null> {
  const value = readCookie(sessionCookieName(isSecureService()));
  if (!value) return null;
  const { SERVICE_SESSION_SECRET: secret, SERVICE_ACCOUNT_RATE: accountRequests } = env();
  const sessionId = await readSessionCookie(value, secret);
  if (!sessionId) return null;
  return authenticateSession({ ...connection(), clock: systemClock, accountRequests }, sessionId, options);
}

/** The same for a route or an action. Errors: `rate_limited` when this request is one too many for the member or the account. */
export async function memberOfCookie(
  readCookie: (name: string) => string | undefined,
  options: { isWrite: boolean },
): Promise<{ actor: MemberActor; profile: MemberProfile } | null> {
  const member = await countedMember(readCookie, options);
  const refusal = member && rateRefusal(member.rate, options.isWrite);
  if (refusal) throw refusal;
  return member;
}

/** Reads one cookie of a plain request. */
export function requestCookie(request: Request): (name: string) => string | undefined {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim());
  return (name) => pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
