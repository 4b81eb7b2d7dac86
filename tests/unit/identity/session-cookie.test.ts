import { expect, it } from 'vitest';
import { readSessionCookie, signSessionCookie } from '#lib/identity/sessions/session-cookie.ts';

const SECRET = 'a secret of this test, long enough to be one';

it('a cookie that was read before names its session still, and nobody’s once it is changed or under another secret', async () => {
  const cookie = await signSessionCookie('ses_a', SECRET);
  for (let read = 0; read < 2; read += 1) {
    expect(await readSessionCookie(cookie, SECRET)).toBe('ses_a');
    expect(await readSessionCookie(cookie, `${SECRET} too`)).toBeNull();
    expect(await readSessionCookie(`${cookie.slice(0, -2)}AA`, SECRET)).toBeNull();
    const [head, , signature] = cookie.split('.');
    const forged = Buffer.from('{"sub":"ses_b","aud":"atelier:session"}').toString('base64url');
    expect(await readSessionCookie(`${head}.${forged}.${signature}`, SECRET)).toBeNull();
  }
});
