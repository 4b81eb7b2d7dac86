import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';

/** Life of a session without any visit. */
export const SESSION_LIFETIME_MS = 30 * 86_400_000;
/** A session ends this long after its sign-in, whatever happens in it. */
export const SESSION_LONGEST_MS = 90 * 86_400_000;

/** Over https the browser itself refuses the cookie to any other host, path or plain connection. */
export function sessionCookieName(isSecure: boolean): string {
  return isSecure ? '__Host-atelier' : 'atelier';
}

/** Whether the service's cookies are for https only: by its public address, else by whether a cloud serves it. */
export function isSecureService(publicUrl: string | undefined, isDeployed = false): boolean {
  return publicUrl ? publicUrl.startsWith('https://') : isDeployed;
}

const key = (secret: string) => new TextEncoder().encode(secret);
const AUDIENCE = 'atelier:session';

/** The cookie's value: the session's identifier, signed. The row decides everything else. */
export async function signSessionCookie(sessionId: string, secret: string): Promise<string> {
  return new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(sessionId)
    .setAudience(AUDIENCE)
    .sign(key(secret));
}

/** Sessions by secret and cookie, of cookies that were ours: what a signature says never changes, and a browser sends it with every request. */
const verified = new LRUCache<string, string>({ max: 1_000 });

/** The session named by a cookie, or null when the signature is not ours. */
export async function readSessionCookie(value: string, secret: string): Promise<string | null> {
  const name = `${secret} ${value}`;
  const known = verified.get(name);
  if (known !== undefined) return known;
  try {
    const { payload } = await jwtVerify(value, key(secret), { algorithms: ['HS256'], audience: AUDIENCE });
    if (payload.sub) verified.set(name, payload.sub);
    return payload.sub ?? null;
  } catch {
    return null;
  }
}

/** Browsers keep a cookie 400 days at most. The row ends a session long before; the cookie only has to outlive it. */
const COOKIE_LIFETIME_SECONDS = 400 * 86_400;

/** The cookie as it is set: out of reach of scripts, never sent by another site's form, bound to this host over https. */
export function sessionCookie(value: string, isSecure: boolean) {
  return {
    name: sessionCookieName(isSecure),
    value,
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
    path: '/',
    maxAge: value === '' ? 0 : COOKIE_LIFETIME_SECONDS,
  } as const;
}
