import { createHmac } from 'node:crypto';
import { equalInConstantTime } from '#lib/core/crypto.ts';
import { CONSENT_LIFETIME_MS } from './config.ts';

/** What a consent page was drawn for: this session, in the account that it named, this very request. */
type Shown = { sessionId: string; memberId: string; query: string };

function mark(shown: Shown, expiresMs: number, secret: string): string {
  return createHmac('sha256', secret)
    .update(`atelier:oauth:consent\0${shown.sessionId}\0${shown.memberId}\0${expiresMs}\0${shown.query}`)
    .digest('hex');
}

/** Signs the proof that the consent page was shown: it binds the answer to the request and account that were read, and to that session. */
export function signConsentTicket(shown: Shown, now: Date, secret: string): string {
  const expiresMs = now.getTime() + CONSENT_LIFETIME_MS;
  return `${expiresMs}.${mark(shown, expiresMs, secret)}`;
}

/** Whether a ticket was signed for exactly what was shown, and is not over. */
export function isConsentTicket(ticket: string, shown: Shown, now: Date, secret: string): boolean {
  const match = /^(\d{1,16})\.([0-9a-f]{64})$/.exec(ticket);
  if (!match) return false;
  const expiresMs = Number(match[1]);
  return (
    expiresMs >= now.getTime() && equalInConstantTime(match[2] as string, mark(shown, expiresMs, secret))
  );
}
