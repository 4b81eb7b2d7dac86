import { expect, test, vi } from 'vitest';
import { sendImage } from '#app/_studio/composer/fields/actions.ts';
import { openSession } from '#lib/identity/sessions/open-session.ts';
import { signSessionCookie } from '#lib/identity/sessions/session-cookie.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { useApi } from '#tests/setup/api.ts';

// Next gives an action its request through this module; here the test does.
const browser = vi.hoisted(() => ({ cookie: '' }));
vi.mock('next/headers', () => ({
  headers: async () => new Headers({ host: 'atelier.test', origin: 'http://atelier.test' }),
  cookies: async () => ({
    get: (name: string) => (name === 'atelier' ? { name, value: browser.cookie } : undefined),
  }),
}));

const service = useApi();

test('an image over 4 MB is refused by its size, before its bytes are read', async () => {
  const { account, member } = await makeAccount(service);
  const { sessionId } = await openSession(testContext(service, { type: 'admin' }), {
    accountId: account.id,
    memberId: member.id,
  });
  browser.cookie = await signSessionCookie(sessionId, process.env.SERVICE_SESSION_SECRET as string);
  const form = new FormData();
  form.append('productId', 'libre');
  form.append('file', new File([new Uint8Array(4 * 1024 * 1024 + 1)], 'photo.png', { type: 'image/png' }));
  const read = vi.spyOn(Blob.prototype, 'arrayBuffer');
  expect(await sendImage({ status: 'idle' }, form)).toMatchObject({
    status: 'refused',
    code: 'reference-refused',
    message: 'Le fichier est trop lourd.',
  });
  expect(read).not.toHaveBeenCalled();
  // The spy would have seen it.
  await (form.get('file') as File).arrayBuffer();
  expect(read).toHaveBeenCalledOnce();
});
