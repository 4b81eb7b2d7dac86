import { expect, it } from 'vitest';
import { sessionCookieName } from '#lib/identity/sessions/session-cookie.ts';
import { demoCookie } from '#lib/local/serving/welcome.ts';

const SECRET = 'secret-of-the-test-0123456789-0123';

it.each([
  ['https://atelier.exemple.test', true],
  ['http://127.0.0.1:3000', false],
  [undefined, false],
])(
  'the session that npm start prints is named as the service at %s reads it',
  async (publicUrl, isSecure) => {
    const cookie = await demoCookie({ sessionId: 'ses_1' }, SECRET, publicUrl);
    expect(cookie?.split('=')[0]).toBe(sessionCookieName(isSecure));
  },
);
