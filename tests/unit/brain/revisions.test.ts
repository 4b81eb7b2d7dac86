import { expect, it } from 'vitest';
import { revisionsQuery } from '#lib/brain/schemas/revisions.ts';

it('a page of history begins anywhere but at what no version can be, which is as none', () => {
  expect(revisionsQuery.parse({ before: '2147483647' })).toEqual({ before: 2_147_483_647 });
  for (const before of ['2147483648', '9007199254740991', '1e300', '0', '-1', '1.5', 'x', undefined])
    expect(revisionsQuery.parse({ before }).before, before).toBeUndefined();
});
