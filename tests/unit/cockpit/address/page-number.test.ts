import { expect, test } from 'vitest';
import { onThisPage, pageOf, placeOn } from '#app/_cockpit/address/page-number.ts';

test('a page of a list is a number from 1, and whatever else an address asks for is the first', () => {
  expect(['2', '99999', undefined, '', '0', '-1', '1e3', '100000', 'deux'].map(pageOf)).toEqual([
    2, 99_999, 1, 1, 1, 1, 1, 1, 1,
  ]);
});

test('a page says which rows it shows, and whether any are before or after', () => {
  const of = (page: number, shown: number) =>
    placeOn({ page, shown, size: 500, total: 620, words: '620\u00a0clés' });
  expect(of(1, 500)).toEqual({ isFirst: true, isLast: false, summary: '1 à 500 sur 620\u00a0clés' });
  expect(of(2, 120)).toEqual({ isFirst: false, isLast: true, summary: '501 à 620 sur 620\u00a0clés' });
  expect(of(9, 0)).toEqual({ isFirst: false, isLast: true, summary: '620\u00a0clés' });
});

test('the rows of a page are told as its own while the list goes on', () => {
  expect(onThisPage('24\u00a0envois', false)).toBe('24\u00a0envois sur cette page');
  expect(onThisPage('3\u00a0envois', true)).toBe('3\u00a0envois');
});
