import { expect, test } from 'vitest';
import { libraryWords } from '#app/(cockpit)/voix/library-words.ts';
import { isFound } from '#app/(cockpit)/voix/voice-words.ts';

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

test('the library of voices says how many are listed when some are left out', () => {
  expect(plain(libraryWords(12, 12))).toBe('12 voix, relues toutes les dix minutes.');
  expect(plain(libraryWords(2, 12))).toBe('2 sur 12 voix, relues toutes les dix minutes.');
  expect(plain(libraryWords(1, 1))).toBe('1 voix, relue toutes les dix minutes.');
});

const ADELE = {
  name: 'Adèle',
  description: 'Calme et posée',
  labels: { gender: 'female', age: 'middle_aged', language: 'fr', use_case: 'advertisement' },
};

test('a voice is found by the words that its row shows, in any order, and by those of its provider', () => {
  for (const asked of [
    'féminine',
    'francais',
    'PUBLICITÉ',
    'âge moyen',
    'adele féminine',
    'female',
    ' fr ',
    '',
  ])
    expect([asked, isFound(ADELE, asked)]).toEqual([asked, true]);
  for (const asked of ['masculine', 'adele masculine', 'espagnol'])
    expect([asked, isFound(ADELE, asked)]).toEqual([asked, false]);
});
