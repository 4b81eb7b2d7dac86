import { sessionCookieName, signSessionCookie } from '#lib/identity/sessions/session-cookie.ts';
import { localSecrets } from '#lib/local/secrets.ts';
import type { ServedApp } from './global.ts';

/** The path of the local outbox, with the token that `npm start` printed. */
export async function outboxPath(app: Pick<ServedApp, 'dataDir'>): Promise<string> {
  return `/boite-envoi?jeton=${(await localSecrets(app.dataDir)).SERVICE_OUTBOX_TOKEN}`;
}

/** The session cookie of the demonstration account's founder. Throws if this run has no demonstration account. */
export async function cookieOf(app: ServedApp): Promise<{ name: string; value: string }> {
  if (!app.demo) throw new Error('This run seeded no demonstration account.');
  const { SERVICE_SESSION_SECRET: secret } = await localSecrets(app.dataDir);
  return { name: sessionCookieName(false), value: await signSessionCookie(app.demo.sessionId, secret) };
}
