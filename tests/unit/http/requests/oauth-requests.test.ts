import { describe, expect, it, vi } from 'vitest';
import { MAX_OAUTH_REQUEST_BYTES, readForm } from '#lib/http/requests/oauth-requests.ts';
import { tokenForm } from '#lib/oauth/protocol/schemas.ts';

const FORM = 'application/x-www-form-urlencoded';

const form = (body: string, type = FORM) =>
  readForm(
    new Request('https://atelier.example/api/oauth/token', {
      method: 'POST',
      headers: { 'content-type': type },
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

  it('is one where it is announced among other types: a program that sets its own header over its library’s sends both', async () => {
    for (const type of [
      `application/json, ${FORM}`,
      `${FORM}, application/json`,
      `application/json,${FORM};charset=UTF-8`,
      `${FORM}; charset=utf-8, ${FORM}`,
    ])
      expect((await form('code=a', type)).get('code'), type).toBe('a');
  });

  it.each([
    '',
    'application/json',
    'text/plain',
    'application/json, text/plain',
    `text/plain; x="a, ${FORM}"`,
    `text/plain; x=${FORM}`,
    `${FORM}-other`,
  ])('is not read of what is not announced as one: %j', async (type) => {
    await expect(form('code=a', type)).rejects.toMatchObject({ code: 'invalid_request' });
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
