import { expect, test } from 'vitest';
import { ServiceError } from '#lib/core/errors.ts';
import { readAddress } from '#lib/mcp/resources/addresses.ts';

const refusalOf = (address: string) => {
  try {
    readAddress(address);
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [error.code, error.options.problems?.map(({ field }) => field)];
  }
};

test('a parameter that an address gives twice is refused by its name, as one whose encoding is none; an empty one is as none', () => {
  const context = (query: string) => `atelier://spaces/Maison/context?${query}`;
  expect(readAddress(context('q=ton&maxChars=&pillars=ITEMS'))).toEqual({
    kind: 'context',
    space: 'Maison',
    query: { q: 'ton', pillars: 'ITEMS' },
  });
  expect(refusalOf(context('q=ton&q=voix'))).toEqual(['invalid_request', ['q']]);
  expect(refusalOf(context('q=ton&maxChars=&maxChars=500'))).toEqual(['invalid_request', ['maxChars']]);
  expect(refusalOf(context('q=%E0%A4%A'))).toEqual(['invalid_request', ['q']]);
  expect(refusalOf('atelier://spaces/%ZZ')).toEqual(['invalid_request', ['space']]);
  expect(refusalOf('atelier://espaces/Maison')).toEqual(['not_found', undefined]);
});
