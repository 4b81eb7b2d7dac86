import { sessionCookieName, signSessionCookie } from '#lib/identity/sessions/session-cookie.ts';
import { localSecrets } from '#lib/local/secrets.ts';
import type { ServedApp } from './global.ts';

/** The outbox page, with the token that `npm start` printed. */
export async function outboxPath(app: Pick<ServedApp, 'dataDir'>): Promise<string> {
  return `/boite-envoi?jeton=${(await localSecrets(app.dataDir)).SERVICE_OUTBOX_TOKEN}`;
}

/** The cookie of the demonstration account's founder, signed with the secret of this run. */
export async function cookieOf(app: ServedApp): Promise<{ name: string; value: string }> {
  if (!app.demo) throw new Error('This run seeded no demonstration account.');
  const { SERVICE_SESSION_SECRET: secret } = await localSecrets(app.dataDir);
  return { name: sessionCookieName(false), value: await signSessionCookie(app.demo.sessionId, secret) };
}
