import fc from 'fast-check';
import { expect, test } from 'vitest';
import { englishStem, family, frenchStem } from '#lib/brain/search/language/stem.ts';
import { fold, foldWords } from '#lib/brain/search/matching/fold.ts';
import { matchInside, matchTerm, matchTypo } from '#lib/brain/search/matching/match.ts';
import { parseQuery } from '#lib/brain/search/matching/query.ts';
import { MAX_SNIPPET, matchRanges } from '#lib/brain/search/snippet.ts';
import { rankDocuments, type SearchDocument } from '#tests/eval/exhaustive.ts';
import { makeSnippet } from '#tests/factories/text-steps.ts';

const WORDS = [
  'logo',
  'logos',
  'Logotype',
  'cœur',
  'coeur',
  'été',
  'l’été',
  'Éditoriale',
  'éditorial',
  'visuelle',
  'de',
  'la',
  'identité',
  'visuel',
  'ph',
  'bouche-à-oreille',
  'a',
  'œ',
  '2024',
  'е́',
  '👩‍👩‍👧',
];
const text = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 })
  .map((words) => words.join(' '));
const query = fc
  .array(fc.constantFrom(...WORDS, 'log', 'éd', 'euro', 'ogo', 'absent'), { minLength: 1, maxLength: 4 })
  .map((words) => words.join(' '));
const documents = fc
  .array(fc.record({ title: text, body: text, day: fc.integer({ min: 0, max: 3 }) }), { maxLength: 12 })
  .map((list) =>
    list.map(
      ({ title, body, day }, i): SearchDocument => ({
        id: `m${i}`,
        title,
        body,
        updatedAt: new Date(day * 86_400_000),
      }),
    ),
  );
const anyText = fc.oneof(
  text,
  fc.string({ unit: 'grapheme', maxLength: 400 }),
  fc.string({ unit: 'binary', maxLength: 400 }),
);

const answer = (q: string, list: readonly SearchDocument[]) =>
  rankDocuments(parseQuery(q), list).map(({ document, score }) => ({ id: document.id, score }));

test('case, accents, composition and ligatures of the query never change an answer', () => {
  fc.assert(
    fc.property(query, documents, (q, list) => {
      const expected = answer(q, list);
      for (const twin of [
        q.toUpperCase(),
        q.normalize('NFD'),
        q.normalize('NFC'),
        fold(q),
        ` ${q.replaceAll('’', "'")}  `,
      ])
        expect(answer(twin, list)).toEqual(expected);
    }),
  );
});

test('the order in which Memories are read never changes an answer', () => {
  fc.assert(
    fc.property(query, documents, (q, list) => {
      expect(answer(q, [...list].reverse())).toEqual(answer(q, list));
    }),
  );
});

test('every result holds a word of the query, and every Memory with a word that starts with one is a result', () => {
  const met = { starts: 0, results: 0 };
  fc.assert(
    fc.property(query, documents, (q, list) => {
      const { words } = parseQuery(q);
      const results = new Set(answer(q, list).map(({ id }) => id));
      for (const { id, title, body } of list) {
        const own = foldWords(`${title} ${body}`).map((word) => word.text);
        const starts = words.some((word) => own.some((candidate) => candidate.startsWith(word.text)));
        const holds = words.some((word) =>
          own.some((candidate) =>
            [matchTerm, matchInside, matchTypo].some((match) => match(word, candidate) > 0),
          ),
        );
        if (starts) expect(results.has(id)).toBe(true);
        if (results.has(id)) expect(holds).toBe(true);
        met.starts += starts ? 1 : 0;
        met.results += results.has(id) ? 1 : 0;
      }
    }),
  );
  expect(Math.min(met.starts, met.results)).toBeGreaterThan(0);
});

test('the forms of a word share its first three letters, and folding twice is folding once', () => {
  fc.assert(
    fc.property(anyText, (value) => {
      for (const word of foldWords(value))
        for (const form of [frenchStem, englishStem, family])
          expect(form(word.text).slice(0, 3)).toBe(word.text.slice(0, 3));
      expect(fold(fold(value))).toBe(fold(value));
    }),
  );
});

test('a snippet is at most 240 units of the original text and never cuts a grapheme', () => {
  const segmenter = new Intl.Segmenter('fr', { granularity: 'grapheme' });
  expect(MAX_SNIPPET).toBe(240);
  let cuts = 0;
  fc.assert(
    fc.property(
      query,
      fc.array(anyText, { maxLength: 6 }),
      fc.integer({ min: 1, max: 40 }),
      (q, parts, times) => {
        const body = Array<string>(times).fill(parts.join(' ')).join(' ');
        const snippet = makeSnippet(parseQuery(q), body);
        expect(snippet.length).toBeLessThanOrEqual(MAX_SNIPPET);
        const trimmed = body.trim();
        if (trimmed.length <= MAX_SNIPPET) {
          expect(snippet).toBe(trimmed);
          return;
        }
        cuts += 1;
        const boundaries = new Set(
          [...segmenter.segment(body)].map(({ index }) => index).concat(body.length),
        );
        const cut = [snippet, snippet.slice(0, -1), snippet.replace(/\u00a0…$/, '')];
        const inner = cut.flatMap((piece) => [piece, piece.slice(1)]);
        const places = inner.flatMap((piece) => {
          const found: [number, number][] = [];
          for (let at = body.indexOf(piece); at >= 0; at = body.indexOf(piece, at + 1))
            found.push([at, at + piece.length]);
          return found;
        });
        expect(places.some(([start, end]) => boundaries.has(start) && boundaries.has(end))).toBe(true);
      },
    ),
    { numRuns: 300 },
  );
  expect(cuts).toBeGreaterThan(0);
});

test('highlighted ranges are in order, apart, inside the text and never cut a pair of surrogates', () => {
  let ranges = 0;
  fc.assert(
    fc.property(query, anyText, (q, value) => {
      let last = 0;
      for (const { start, end } of matchRanges(parseQuery(q), value)) {
        expect(start).toBeGreaterThanOrEqual(last);
        expect(end).toBeGreaterThan(start);
        expect(end).toBeLessThanOrEqual(value.length);
        for (const edge of [start, end])
          expect(
            /[\ud800-\udbff]/.test(value[edge - 1] ?? '') && /[\udc00-\udfff]/.test(value[edge] ?? ''),
          ).toBe(false);
        last = end;
        ranges += 1;
      }
    }),
  );
  expect(ranges).toBeGreaterThan(0);
});
