import { createHmac, randomBytes } from 'node:crypto';

/** Browsers keep a cookie 400 days at most. */
const LIFETIME_SECONDS = 400 * 86_400;
export const KNOWN_BROWSER_DAYS = 400;

const nameOf = (isSecure: boolean) => (isSecure ? '__Host-atelier-navigateur' : 'atelier-navigateur');

/** A value that only one browser holds: codes are bound to it, and it is remembered where a member signed in. */
export function newBrowserToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The value of this browser, or null when it holds none of ours. */
export function readBrowserToken(
  read: (name: string) => string | undefined,
  isSecure: boolean,
): string | null {
  const value = read(nameOf(isSecure));
  return value !== undefined && /^[\w-]{43}$/.test(value) ? value : null;
}

/** The cookie that keeps it, out of reach of scripts and of other hosts. It opens nothing by itself. */
export function browserCookie(token: string, isSecure: boolean) {
  return {
    name: nameOf(isSecure),
    value: token,
    httpOnly: true,
    sameSite: 'lax',
    secure: isSecure,
    path: '/',
    maxAge: LIFETIME_SECONDS,
  } as const;
}

/** What is stored of it: a copied table names no browser. */
export function hashBrowserToken(secret: string, token: string): string {
  return createHmac('sha256', secret).update(`browser\0${token}`).digest('base64url');
}
