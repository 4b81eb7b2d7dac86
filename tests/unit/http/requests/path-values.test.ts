import { expect, it } from 'vitest';
import { pathValues } from '#lib/http/requests/path-values.ts';

it('a path without parameters has none, as Next’s production server says it: undefined', async () => {
  expect(await pathValues(Promise.resolve(undefined))).toEqual({});
  expect(await pathValues(Promise.resolve({ id: 'spc_1' }))).toEqual({ id: 'spc_1' });
});

it.each(['a\u0000b', '\ud800', 'a'.repeat(1001)])(
  'what names nothing is answered like what does not exist: %j',
  async (id) => {
    await expect(pathValues(Promise.resolve({ id }))).rejects.toMatchObject({ code: 'not_found' });
  },
);
