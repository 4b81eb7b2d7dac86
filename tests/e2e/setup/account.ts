import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { sessionCookieName, signSessionCookie } from '#lib/identity/session-cookie.ts';
import type { ServedApp } from './global.ts';

/** The cookie of the demonstration account's founder, signed with the secret of this run. */
export async function cookieOf(app: ServedApp): Promise<{ name: string; value: string }> {
  if (!app.demo) throw new Error('This run seeded no demonstration account.');
  const secrets = JSON.parse(await readFile(path.join(app.dataDir, 'secrets.json'), 'utf8')) as Record<
    string,
    string
  >;
  const secret = secrets.SERVICE_SESSION_SECRET as string;
  return { name: sessionCookieName(false), value: await signSessionCookie(app.demo.sessionId, secret) };
}
