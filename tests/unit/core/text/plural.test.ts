import { expect, test } from 'vitest';
import { plural } from '#lib/core/text/plural.ts';

test('in French a word is plural from two on: none is singular, as is one and a half', () => {
  const said = (count: number) => `${count} ${plural(count, 'jour')}`;
  expect([0, 1, 1.5, 2, 12].map(said)).toEqual(['0 jour', '1 jour', '1.5 jour', '2 jours', '12 jours']);
  expect([0, 2].map((count) => plural(count, 'omise', 'omis'))).toEqual(['omise', 'omis']);
});
