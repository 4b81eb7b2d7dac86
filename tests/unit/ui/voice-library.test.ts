import { expect, test } from 'vitest';
import { libraryWords } from '#app/(cockpit)/voix/library-words.ts';

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

test('the library of voices says how many are listed when some are left out', () => {
  expect(plain(libraryWords(12, 12))).toBe('12 voix, relues toutes les dix minutes.');
  expect(plain(libraryWords(2, 12))).toBe('2 sur 12 voix, relues toutes les dix minutes.');
  expect(plain(libraryWords(1, 1))).toBe('1 voix, relue toutes les dix minutes.');
});
