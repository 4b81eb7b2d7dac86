import { describe, expect, test } from 'vitest';
import { kindOf, matchStart, qualityOf } from '#lib/brain/search/matching/match.ts';
import { parseQuery, type QueryWord, unmatchedWords } from '#lib/brain/search/matching/query.ts';
import { matchRanges } from '#lib/brain/search/snippet.ts';
import { rankDocuments, type SearchDocument } from '#tests/eval/exhaustive.ts';

const updatedAt = new Date('2026-01-01T00:00:00Z');
const memory = (id: string, body: string, title = 'Note'): SearchDocument => ({ id, title, body, updatedAt });
const ids = (q: string, documents: readonly SearchDocument[]) =>
  rankDocuments(parseQuery(q), documents).map(({ document }) => document.id);
const wordOf = (text: string) => parseQuery(text).words[0] as QueryWord;

describe('a word finds its feminine and its masculine, one as the other', () => {
  test.each([
    ['directeur directeurs directrice directrices'],
    ['ambassadeur ambassadrice'],
    ['vendeur vendeurs vendeuse vendeuses'],
    ['createur creatrice'],
    ['blanc blancs blanche blanches'],
    ['long longs longue longues'],
    ['doux douce douces'],
    ['frais fraiche fraiches'],
    ['gras grasse grasses'],
    ['gros grosse'],
    ['neuf neuve neuves'],
    ['public publics publique publiques'],
    ['bon bons bonne bonnes'],
    ['leger legere legers legeres'],
    ['ouvrier ouvriers ouvriere ouvrieres'],
    ['premier premiere premieres'],
    ['particulier particuliere particulieres'],
  ])('%s', (forms) => {
    const words = forms.split(' ');
    for (const typed of words)
      for (const term of words.filter((one) => one !== typed))
        expect(['exact', 'stem'], `${typed} in ${term}`).toContain(kindOf(matchStart(wordOf(typed), term)));
  });

  test('and no other word that begins as it does', () => {
    for (const [typed, term] of [
      ['gras', 'grace'],
      ['douce', 'douche'],
      ['longue', 'longeur'],
      ['directrice', 'direction'],
      ['matrice', 'matelas'],
      ['basse', 'basket'],
      ['ouvrir', 'ouvrier'],
      ['ouvriers', 'ouvrir'],
      ['maniere', 'manie'],
    ] as const)
      expect(kindOf(matchStart(wordOf(typed), term)), `${typed} in ${term}`).toBeNull();
  });
});

describe('a verb and what is made of it are about one thing', () => {
  test.each([
    ['livraison', 'livrons'],
    ['livrer', 'livraison'],
    ['comparer', 'comparaison'],
    ['vendre', 'vendons'],
    ['vendons', 'vendu'],
    ['vendez', 'vendre'],
    ['repondre', 'repondons'],
    ['permettre', 'permettons'],
  ])('« %s » and « %s », both ways, for less than the word', (one, other) => {
    for (const [typed, term] of [
      [one, other],
      [other, one],
    ] as const)
      expect(qualityOf(matchStart(wordOf(typed), term)), `${typed} in ${term}`).toBe(55);
  });

  test('and short words that end so are no forms of one', () => {
    for (const [typed, term] of [
      ['maison', 'maire'],
      ['raison', 'rayon'],
      ['ordre', 'ordures'],
      ['saison', 'sais'],
    ] as const)
      expect(matchStart(wordOf(typed), term), `${typed} in ${term}`).toBe(0);
  });
});

describe('a code of letters and a number is found whatever stands between them', () => {
  const spellings = ['B2291', 'B-2291', 'B 2291', 'B\u00a02291', 'b.2291'];
  const others = [memory('near', 'Le lot B 2290, puis 2291 pièces.'), memory('far', '2291 lampes. Plan B.')];

  test.each(spellings)('%s', (typed) => {
    for (const written of spellings) {
      const documents = [...others, memory('that', `Le rappel porte sur le lot ${written}, et lui seul.`)];
      expect(ids(`lot ${typed}`, documents)[0], `${typed} in ${written}`).toBe('that');
      expect(ids(typed, documents)[0], `${typed} in ${written}`).toBe('that');
    }
  });

  test.each([
    ['E27', 'Culot E 27.'],
    ['E 27', 'Culot E27.'],
    ['iso 9001', 'Certifiée ISO9001.'],
    ['ISO9001', 'Certifiée ISO 9001.'],
    ['COVID19', 'Depuis la Covid-19.'],
    ['N°5', 'Le parfum N5.'],
  ])('« %s » in « %s »', (typed, body) => {
    expect(ids(typed, [memory('that', body), memory('other', 'Culot, parfum, depuis.')])).toEqual(['that']);
  });

  test('what names nothing begins no code: « à 4 » is no A4, « de 30 » no word', () => {
    expect(ids('A4', [memory('to', 'De 2 à 4 personnes.')])).toEqual([]);
    expect(parseQuery('de 30 lampes').words.map(({ glued }) => glued)).toEqual([[], []]);
    expect(parseQuery('lot 30').words.map(({ glued }) => glued)).toEqual([['lot30'], ['lot30']]);
  });

  test('is highlighted whole', () => {
    expect(matchRanges(parseQuery('B2291'), 'Le lot B-2291 part.')).toEqual([{ start: 7, end: 13 }]);
    expect(matchRanges(parseQuery('B 2291'), 'Le lot B2291 part.')).toEqual([{ start: 7, end: 12 }]);
  });
});

test('the words that nothing holds are told as they were typed, those that a typing error found included', () => {
  const query = parseQuery('Quelle Garentie R.G.P.D. pour la Rive\u00a0?');
  expect(unmatchedWords(query)).toEqual([]);
  for (const [at, level] of (['typo', 'typo', 'inside'] as const).entries())
    (query.words[at] as QueryWord).level = level;
  expect(unmatchedWords(query)).toEqual(['Garentie', 'R.G.P.D']);
});
