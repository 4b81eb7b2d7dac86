import { expect, test } from 'vitest';
import { fold as foldForSearch } from '#lib/brain/search/matching/fold.ts';
import { foldAccents } from '#lib/core/text/fold.ts';
import { fold as foldWithOrigins } from '#lib/studio/copy-rules/fold.ts';

test('accents, case, ligatures and width do not count; separators stay', () => {
  expect(foldAccents('Équipe  Cœur-à-CŒUR, ÆON ﬁn Straße')).toBe('equipe  coeur-a-coeur, aeon fin strasse');
  expect(foldAccents('e\u0301te\u0301')).toBe(foldAccents('ÉTÉ'));
});

test('the folds that keep places in the original spell the same letters', () => {
  for (const word of ['Œuvre', 'ÆON', 'straße', 'Łódź', 'smørrebrød', 'þorn', 'ħal', 'été']) {
    expect(foldForSearch(word)).toBe(foldAccents(word));
    expect(foldWithOrigins(word).text).toBe(foldAccents(word));
  }
});
