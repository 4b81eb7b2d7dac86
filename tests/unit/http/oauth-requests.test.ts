import { describe, expect, it, vi } from 'vitest';
import { MAX_OAUTH_REQUEST_BYTES, readForm } from '#lib/http/requests/oauth-requests.ts';
import { tokenForm } from '#lib/oauth/protocol/schemas.ts';

const form = (body: string) =>
  readForm(
    new Request('https://atelier.example/api/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    }),
    tokenForm,
  );

describe('a form of OAuth', () => {
  it('is refused with a parameter given twice, but for resource', async () => {
    await expect(form('code=a&grant_type=b&code=c')).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'Le paramètre code est donné deux fois.',
    });
    const read = await form('resource=a&resource=b&code=c');
    expect([read.all('resource'), read.get('code')]).toEqual([['a', 'b'], 'c']);
  });

  it('of as many parameters as it can hold is looked through once, by whoever may send it', async () => {
    const names = Array.from({ length: 16_384 }, (_, i) => `${i.toString(36)}&`).join('');
    const body = names.slice(0, MAX_OAUTH_REQUEST_BYTES);
    const looked = vi.spyOn(URLSearchParams.prototype, 'getAll');
    try {
      // The last name is left out: cut short, it may equal a former one.
      await form(body.slice(0, body.lastIndexOf('&')));
      expect(looked.mock.calls.length).toBeLessThan(10);
    } finally {
      looked.mockRestore();
    }
  });
});
