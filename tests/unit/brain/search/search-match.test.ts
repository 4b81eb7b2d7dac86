import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isPresent,
  isStrong,
  kindOf,
  matchInside,
  matchStart,
  matchTerm,
  matchTypo,
  mistakesIn,
  qualityOf,
  rangeStart,
} from '#lib/brain/search/matching/match.ts';
import { parseQuery, type QueryWord } from '#lib/brain/search/matching/query.ts';
import { findMatches } from '#tests/factories/text-steps.ts';

const wordOf = (q: string) => parseQuery(q).words[0] as QueryWord;
/** A word with the other forms that the test gives. */
const made = (text: string, forms = text): QueryWord => ({
  ...wordOf('lampe'),
  text,
  french: forms,
  english: forms,
  family: forms,
});
const formsOf = (text: string) => {
  const { french, english, family } = wordOf(text);
  return { french, english, family };
};
const told = (match: number) => [qualityOf(match), kindOf(match)];

describe('a term that starts with the word, or is another form of it', () => {
  test.each<[string, string, number, string | null]>([
    ['lampe', 'lampe', 100, 'exact'],
    ['lampe', 'lampes', 90, 'stem'],
    ['visuelles', 'visuel', 90, 'stem'],
    // A word of four letters is also searched for in its other forms; one of three only as it is.
    ['rues', 'rue', 90, 'stem'],
    ['lamp', 'lampadaire', 68, 'prefix'],
    ['la', 'las', 72, 'prefix'],
    ['fondee', 'fondatrice', 55, 'stem'],
    ['lampe', 'lampadaire', 0, null],
    ['lam', 'laine', 0, null],
    ['visuel', 'usuel', 0, null],
  ])('%s in %s: %i, %s', (q, term, quality, kind) => {
    expect(told(matchStart(wordOf(q), term))).toEqual([quality, kind]);
  });

  test.each<[string, Partial<QueryWord>, string, number]>([
    // Two letters are a prefix, even if they share forms with the longer word.
    ['la', { french: 'las', english: 'las' }, 'las', 72],
    ['lampes', { french: 'rue', english: 'rue' }, 'rues', 0],
    ['designing', { french: '-', english: 'design' }, 'designed', 90],
    // Without an ending to remove, the family of a word is the word itself: a word that begins otherwise is no form of it.
    ['fabric', {}, 'fabrique', 0],
    ['vaquant', { french: '-', english: '-', family: 'vac' }, 'vaqueur', 0],
    ['fabriquant', { french: '-', english: '-', family: 'fabric' }, 'fabrication', 55],
  ])('%s, of the forms %j, in %s: %i', (text, forms, term, quality) => {
    expect(qualityOf(matchStart({ ...wordOf('lampe'), text, ...formsOf(text), ...forms }, term))).toBe(
      quality,
    );
  });

  test('is the day of a month that was asked for, and never another month, whatever forms they share', () => {
    expect(told(matchStart(made('#202305'), '#20230512'))).toEqual([90, 'prefix']);
    expect(told(matchStart(made('#202305'), '#202305'))).toEqual([100, 'exact']);
    expect(matchStart(made('#202305', '#202306'), '#202306')).toBe(0);
  });

  test('is looked for among those that begin with its first three letters; a date among its own', () => {
    expect([rangeStart(made('lampe')), rangeStart(made('la')), rangeStart(made('#202305'))]).toEqual([
      'lam',
      'la',
      '#202305',
    ]);
  });

  test('is looked for by whole characters: a letter of two units that does not fit in the first three is left out', () => {
    // Adlam, the script of Fulani, and Chinese names: letters beyond the first 65,536 code points.
    for (const [word, start] of [
      ['𞤀𞤣𞤤𞤢𞤥', '𞤢'],
      ['𠮷𠮷', '𠮷'],
      ['ab𠮷野', 'ab'],
      ['a𠮷野', 'a𠮷'],
      ['𠮷a', '𠮷a'],
    ] as const) {
      expect(rangeStart(wordOf(word)), word).toBe(start);
      expect(told(matchStart(wordOf(word), wordOf(word).text))).toEqual([100, 'exact']);
    }
  });

  test('is a number with its unit as one word, when they were typed one after the other', () => {
    const [number, unit] = parseQuery('30 ml').words as [QueryWord, QueryWord];
    expect([number, unit].map((word) => told(matchStart(word, '30ml')))).toEqual([
      [96, 'exact'],
      [96, 'exact'],
    ]);
    for (const other of [matchStart(number, '300ml'), matchStart(number, '300'), matchStart(unit, '50ml')])
      expect(other).toBe(0);
    for (const apart of ['millilitres 30', '30 lampadaires', '30. ml'])
      expect(parseQuery(apart).words.flatMap(({ glued }) => glued)).toEqual([]);
  });

  test('is the word when it is itself or a form of it, and is about it when it is of its family alone', () => {
    const itself = ['lampe', 'lampes'].map((term) => matchStart(wordOf('lampe'), term));
    expect(itself.map(isStrong)).toEqual([true, true]);
    const family = matchStart(wordOf('fondee'), 'fondatrice');
    const prefix = matchStart(wordOf('lamp'), 'lampadaire');
    const day = matchStart(made('#202305'), '#20230512');
    expect([family, prefix, day, 0].map(isStrong)).toEqual([false, false, false, false]);
    expect([family, 0].map(isPresent)).toEqual([false, false]);
    expect([...itself, prefix, day].map(isPresent)).toEqual([true, true, true, true]);
  });
});

describe('a term that holds the word anywhere', () => {
  test.each<[string, string, number, string | null]>([
    ['oxy', 'phenoxyethanol', 34, 'inside'],
    ['ox', 'phenoxyethanol', 32, 'inside'],
    ['oxy', 'oxy', 50, 'inside'],
    ['o', 'phenoxyethanol', 0, null],
    ['oxyd', 'phenoxyethanol', 0, null],
    ['23', '#202305', 0, null],
    ['#2023', 'a#2023', 0, null],
  ])('%s in %s: %i, %s', (text, term, quality, kind) => {
    expect(told(matchInside(made(text), term))).toEqual([quality, kind]);
  });
});

const known = new Map<string, number>();
/** The edit distance of two words, with swapped neighbours as one error, computed as plainly as possible. */
function distance(a: string, b: string): number {
  if (a === '' || b === '') return a.length + b.length;
  const key = `${a} ${b}`;
  const found = known.get(key) ?? fewest(a, b);
  known.set(key, found);
  return found;
}
function fewest(a: string, b: string): number {
  const last = a.at(-1) === b.at(-1) ? 0 : 1;
  const [less, other] = [a.slice(0, -1), b.slice(0, -1)];
  const swapped = a.length > 1 && b.length > 1 && a.at(-1) === b.at(-2) && a.at(-2) === b.at(-1);
  return Math.min(
    distance(less, b) + 1,
    distance(a, other) + 1,
    distance(less, other) + last,
    ...(swapped ? [distance(a.slice(0, -2), b.slice(0, -2)) + 1] : []),
  );
}

describe('a term that is the word but for a typing error', () => {
  test('has none in three letters or in a number, one in seven letters, two in eight', () => {
    expect(['abc', 'abcd', 'abcdefg', 'abcdefgh', 'abcd1', '1abcd', 'éèàç'].map(mistakesIn)).toEqual([
      0, 1, 1, 2, 0, 0, 1,
    ]);
  });

  test('is none where no error may be, though it be the word itself', () => {
    expect(['abc', 'ab12'].map((word) => matchTypo(made(word), word))).toEqual([0, 0]);
  });

  test('is worth 60 with one error and 45 with two, when so many may be; else nothing', () => {
    const letters = fc.constantFrom('a', 'b', 'c');
    const word = (minLength: number, maxLength: number) =>
      fc.array(letters, { minLength, maxLength }).map((all) => all.join(''));
    let met = 0;
    fc.assert(
      fc.property(
        fc.oneof(
          fc.tuple(word(4, 6), word(3, 7)),
          // Eight letters with a shared beginning, so that two errors are not rare.
          fc
            .tuple(word(4, 4), word(4, 4), word(2, 6))
            .map(([head, one, other]) => [head + one, head + other]),
        ),
        ([text = '', term = '']) => {
          fc.pre(text !== term);
          const most = text.length < 8 ? 1 : 2;
          const errors = distance(text, term);
          if (errors <= most) met += 1;
          const quality = errors > most ? 0 : errors === 1 ? 60 : 45;
          expect(told(matchTypo(made(text), term))).toEqual([quality, quality === 0 ? null : 'typo']);
        },
      ),
      { numRuns: 400 },
    );
    expect(met).toBeGreaterThan(10);
  });

  test.each<[string, string, number]>([
    ['table', 'tablee', 60],
    ['table', 'able', 60],
    ['table', 'talbe', 60],
    ['table', 'atble', 60],
    ['table', 'tablees', 0],
    ['table', 'tvlae', 0],
    ['lampadaire', 'lampadai', 45],
    ['lampadaire', 'lampada', 0],
    ['porcelaine', 'porcelenne', 45],
    ['table', '#able', 0],
  ])('%s for %s: %i', (text, term, quality) => {
    expect(qualityOf(matchTypo(made(text), term))).toBe(quality);
  });
});

test('a word is looked for where its level says: at the start of terms, inside them, or near them', () => {
  const at = (level: QueryWord['level'], term: string) =>
    told(matchTerm({ ...wordOf('lampe'), level }, term));
  expect(['lampes', 'xlampe', 'lamqe'].map((term) => at('start', term)[1])).toEqual(['stem', null, null]);
  expect(['lampes', 'xlampe', 'lamqe'].map((term) => at('inside', term)[1])).toEqual([
    'inside',
    'inside',
    null,
  ]);
  expect(['lampes', 'xlampe', 'lamqe'].map((term) => at('typo', term)[1])).toEqual(['typo', 'typo', 'typo']);
});

test('each place of a text that answers a word is told with how much that word counts, and how well it answers', () => {
  const query = parseQuery('lampe bois');
  const [lamp] = query.words;
  if (lamp) lamp.weight = 0.5;
  expect(findMatches(query, 'La lampe et les bois')).toEqual([
    { word: 0, start: 3, end: 8, weight: 0.5 },
    { word: 1, start: 16, end: 20, weight: 1 },
  ]);
  expect(findMatches(query, 'Les lampes')).toEqual([{ word: 0, start: 4, end: 10, weight: 0.45 }]);
  expect(findMatches(query, 'Rien.')).toEqual([]);
});
