import { describe, expect, test } from 'vitest';
import { parseQuery } from '#lib/brain/search/matching/query.ts';
import { cutAt, shorten } from '#lib/brain/text/cut.ts';
import { findMatches, makeSnippet, passagesOf } from '#tests/factories/text-steps.ts';

const PRICES = ['1\u202f200\u00a0€', '1\u00a0200\u00a0€', '1 200\u00a0€', '12 500 000\u202f€'];
/** The numbers in a shown text, with their groups of digits joined. */
const numbersIn = (shown: string) => (shown.match(/\d[\d\s]*/g) ?? []).map((one) => one.replace(/\D/g, ''));

describe('a number is shown whole or not at all', () => {
  test.each(PRICES)('%s at the end of a text that is cut anywhere', (price) => {
    const text = `La suspension que nous aimons coûte ${price} la paire, livraison comprise.`;
    const whole = price.replace(/\D/g, '');
    for (let index = 10; index < text.length; index++) {
      expect(['', whole], shorten(text, index)).toContain(numbersIn(shorten(text, index)).join());
      const { at } = cutAt(text, index);
      expect(text.slice(0, at).endsWith('\u00a0') || text.slice(0, at).endsWith('\u202f')).toBe(false);
    }
  });

  test.each(PRICES)('%s at both ends of a snippet and of a passage', (price) => {
    const whole = price.replace(/\D/g, '');
    for (let words = 0; words < 40; words++) {
      const around = 'mot '.repeat(words);
      const body = `${'Un texte sans fin, '.repeat(30)}${price} ${around}rotule ${around}${price} ${'et la suite, '.repeat(30)}`;
      const query = parseQuery('rotule');
      const shown = makeSnippet(query, body);
      expect(shown).toContain('rotule');
      for (const number of numbersIn(shown)) expect(number, shown).toBe(whole);
      for (const room of [80, 100, 120, 140]) {
        const passage = passagesOf(body, findMatches(query, body), room);
        for (const number of numbersIn(passage)) expect(number, passage).toBe(whole);
      }
    }
  });

  test('two numbers that stand apart are still parted, and a text of one long word is cut between its characters', () => {
    expect(shorten('Les années 2023, 2024', 19)).toBe('Les années 2023,…');
    expect(cutAt('a'.repeat(100), 50)).toEqual({ at: 50, boundary: 'grapheme' });
    expect(cutAt('a\u00a0'.repeat(50), 50).at).toBe(50);
  });
});
