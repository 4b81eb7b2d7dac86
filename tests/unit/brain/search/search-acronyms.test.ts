import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findingOccurrences, TermMatches } from '#lib/brain/search/matching/occurrences.ts';
import { atOnce } from '#lib/brain/search/matching/pace.ts';
import { parseQuery } from '#lib/brain/search/matching/query.ts';
import { analysingMemory, readingTerms, tokenize } from '#lib/brain/search/matching/terms.ts';
import { MAX_SNIPPET, matchRanges } from '#lib/brain/search/snippet.ts';
import { rankDocuments, type SearchDocument } from '#tests/eval/exhaustive.ts';
import { makeSnippet } from '#tests/factories/text-steps.ts';

const updatedAt = new Date('2026-01-01T00:00:00Z');
const memory = (id: string, body: string, title = 'Note'): SearchDocument => ({ id, title, body, updatedAt });
const ids = (q: string, documents: readonly SearchDocument[]) =>
  rankDocuments(parseQuery(q), documents).map(({ document }) => document.id);
const marked = (q: string, text: string) =>
  matchRanges(parseQuery(q), text).map(({ start, end }) => text.slice(start, end));
const acronymsOf = (text: string) =>
  tokenize(text).extras.flatMap(({ term, span }) => (span > 1 && /^\p{L}/u.test(term) ? [term] : []));

const SPELLINGS: [joined: string, stopped: string][] = [
  ['RGPD', 'R.G.P.D.'],
  ['RGPD', 'r.g.p.d'],
  ['SARL', 'S.A.R.L.'],
  ['USA', 'U.S.A.'],
  ['AOC', 'A.O.C.'],
  ['PDG', 'P.-D.G.'],
  ['PDG', 'P.\u2011D.G.'],
  ['ENA', 'É.N.A.'],
  ['ENA', 'E\u0301.N.A.'],
];

describe('an acronym is found with its stops and without', () => {
  test.each(SPELLINGS)(
    '%s and %s, both ways, before words that only begin with its letters',
    (joined, stopped) => {
      const beginnings = memory(
        'beginnings',
        'Rouge, puis un gris, une poudre, du doré, sable, ardoise, écru, nacre, or.',
      );
      for (const [typed, written] of [
        [joined, stopped],
        [stopped, joined],
        [stopped, stopped],
      ] as const) {
        const documents = [beginnings, memory('that', `Selon ${written} ici.`), memory('other', 'Rien.')];
        expect(ids(typed, documents)[0], `${typed} in ${written}`).toBe('that');
      }
    },
  );

  test('a question of several words ranks what says it with stops as what says it without, phrase and title included', () => {
    for (const [typed, other] of [
      ['le R.G.P.D. en bref', 'le RGPD en bref'],
      ['S.A.R.L. Dupont', 'SARL Dupont'],
    ] as const) {
      const scores = (q: string, body: string, title: string) =>
        rankDocuments(parseQuery(q), [memory('that', body, title)]).map(({ score, explanation }) => [
          score,
          explanation.exactPhrase,
        ]);
      const expected = scores(other, `Voici ${other}.`, other);
      expect(expected).toMatchObject([[expect.any(Number), 'title']]);
      for (const [q, body, title] of [
        [typed, `Voici ${other}.`, other],
        [other, `Voici ${typed}.`, typed],
        [typed, `Voici ${typed}.`, typed],
      ] as const)
        expect(scores(q, body, title), `${q} in ${body}`).toEqual(expected);
    }
  });

  test('it is a word where its letters run together are a function word, and its beginning finds it as it is typed', () => {
    expect(parseQuery('contrat S.A.').words.map(({ text }) => text)).toEqual(['contrat', 'sa']);
    expect(parseQuery('contrat sa').words.map(({ text }) => text)).toEqual(['contrat']);
    expect(parseQuery('le R.G.P.D. en bref').words.map(({ typed }) => typed)).toEqual(['R.G.P.D', 'bref']);
    for (const q of ['R.G.', 'R.G.P', 'rg', 'rgp'])
      expect(
        ids(q, [memory('that', 'Le R.G.P.D. le dit.'), memory('joined', 'Le RGPD le dit.')]),
      ).toHaveLength(2);
  });

  test('a unit with stops stands beside its number', () => {
    expect(ids('8pm', [memory('that', 'Open until 8 p.m. every day.')])).toEqual(['that']);
    expect(ids('8 p.m.', [memory('that', 'Open until 8pm every day.')])).toEqual(['that']);
    expect(marked('8pm', 'Open until 8 p.m. every day.')).toEqual(['8 p.m']);
  });
});

describe('what is written with stops and is no acronym stays as it was', () => {
  test.each([
    ['an initial', 'J. Dupont et M. Martin', 'j dupont et m martin'],
    ['the end of a sentence', 'C’est le plan B. Ensuite, rien.', 'c est le plan b ensuite rien'],
    ['labels of a list', 'A. Rouge\nB. Bleu\nC. Vert', 'a rouge b bleu c vert'],
    ['letters with a space between', 'J. R. R. Tolkien, R.\u00a0G.\u00a0P.\u00a0D.', 'j r r tolkien r g p d'],
    ['a version', 'La v1.2.3, la 1.2.3 et la v2.a.b', 'la v1 2 3 la 1 2 3 et la v2 a b'],
    ['a name of domain', 'Voir a.b.fr, www.a.b et x.y.example', 'voir a b fr www a b et x y example'],
    ['an address', 'Écrire à a.b@exemple.fr ou à moi@a.b', 'ecrire a a b exemple fr ou a moi a b'],
    ['a letter and a number', 'Fig. B.2, A.1.b', 'fig b 2 a 1 b'],
    ['a sentence that wants its space', 'Le plan B.Ensuite', 'le plan b ensuite'],
    [
      'letters with a hyphen alone, or two stops',
      'A-B-C, A..B, x…y, c.-à-d., a-b.c.',
      'a b c a b x y c a d a b c',
    ],
    ['more letters than an acronym has', 'a.b.c.d.e.f.g.h.i.j.k.l.m.', 'a b c d e f g h i j k l m'],
  ])('%s', (_, text, words) => {
    expect(acronymsOf(text)).toEqual([]);
    const { terms, places, length } = tokenize(text);
    expect(terms).toEqual(words.split(' '));
    expect(length).toBe(terms.length);
    // Each word has a place of its own.
    expect(new Set(places).size).toBe(terms.length);
  });

  test('a letter that ends a sentence ends it still, the last stop of an acronym does not, and a line break always does', () => {
    const gaps = (text: string) => {
      const { places } = tokenize(text);
      return places.slice(1).map((place, i) => place - (places[i] as number));
    };
    expect(gaps('plan B. Ensuite')).toEqual([1, 9]);
    expect(gaps('la S.A. Dupont')).toEqual([1, 0, 1]);
    expect(gaps('la S.A.\nDupont')).toEqual([1, 0, 9]);
    expect(gaps('la S.A\nDupont')).toEqual([1, 0, 9]);
    expect(gaps('la S.A.! Dupont')).toEqual([1, 0, 9]);
    expect(gaps('S.A. et S.A.R.L. ici')).toEqual([0, 1, 1, 0, 0, 0, 1]);
  });

  test('one letter finds what it found: words that are it or begin so, and the letters of an acronym', () => {
    const documents = [
      memory('initial', 'J. Dupont'),
      memory('acronym', 'Le R.G.P.D. ici.'),
      memory('none', 'Un.'),
    ];
    expect(ids('J', documents)).toEqual(['initial']);
    expect(ids('g', documents)).toEqual(['acronym']);
    expect(ids('R. G. P. D.', documents)).toEqual(['acronym']);
    expect(marked('r', 'Le R.G.P.D. ici.')).toEqual(['R']);
  });
});

describe('what is marked is in the original text', () => {
  test.each([
    ['RGPD', 'Conforme au R.G.P.D. depuis 2018.', ['R.G.P.D']],
    ['rgpd', 'Le « R.G.P.D », le RGPD.', ['R.G.P.D', 'RGPD']],
    ['R.G.P.D.', 'Le R.G.P.D. et le RGPD.', ['R.G.P.D', 'RGPD']],
    ['P.-D.G.', 'Le P.-D.G. et la PDG.', ['P.-D.G', 'PDG']],
    ['rg', 'Le R.G.P.D. ici.', ['R.G']],
    ['gpd', 'Le R.G.P.D. ici.', ['G.P.D']],
    ['ena', 'L’E\u0301.N.A. à Paris', ['E\u0301.N.A']],
    ['urss', 'L’U.R.S.S.-satellite', ['U.R.S.S']],
    ['Dupont', 'J. Dupont', ['Dupont']],
  ])('%s in « %s »', (q, text, ranges) => {
    expect(marked(q, text)).toEqual(ranges);
  });

  test('a snippet of a long text shows it, as it is written', () => {
    const filler = 'Voici une phrase qui parle d’autre chose. '.repeat(30);
    for (const q of ['RGPD', 'R.G.P.D.']) {
      const snippet = makeSnippet(parseQuery(q), `${filler}Tout suit le R.G.P.D. en vigueur. ${filler}`);
      expect(snippet.startsWith('…Tout suit le R.G.P.D. en vigueur.')).toBe(true);
      expect(snippet.length).toBeLessThanOrEqual(MAX_SNIPPET);
      expect(marked(q, snippet)).toEqual(['R.G.P.D']);
    }
  });
});

test('with stops or without, in texts and in what is typed, the same Memories have the same scores', () => {
  const same = (...words: string[]) =>
    fc.constantFrom(...words).map((word): [string, string] => [word, word]);
  const spelling = fc.constantFrom(...SPELLINGS);
  const piece = fc.oneof(
    spelling,
    same(
      'lampe',
      'rouge',
      'Dupont',
      'plan B. Ensuite',
      'J. Dupont',
      '12 mai 2023',
      '1 200 g',
      'v1.2.3',
      'de',
      '\n',
    ),
  );
  // A single letter finds the letters of an acronym with stops, and no letter inside a word.
  const asked = fc.oneof(
    spelling,
    same('lampe', 'rouge', 'Dupont', '12 mai 2023', 'de', 'enas', 'rgp', 'absent'),
  );
  const text = fc.array(piece, { minLength: 1, maxLength: 9 });
  const written = (pieces: readonly [string, string][], how: 0 | 1) =>
    pieces.map((one) => one[how]).join(' ');
  let found = 0;
  fc.assert(
    fc.property(
      fc.array(fc.record({ title: text, body: text, day: fc.nat(2) }), { minLength: 1, maxLength: 8 }),
      fc.array(asked, { minLength: 1, maxLength: 3 }),
      (list, typed) => {
        const answer = (ofText: 0 | 1, ofQuery: 0 | 1) => {
          const documents = list.map(({ title, body, day }, i) => ({
            id: `m${i}`,
            title: written(title, ofText),
            body: written(body, ofText),
            updatedAt: new Date(day),
          }));
          return rankDocuments(parseQuery(written(typed, ofQuery)), documents).map(({ document, score }) => [
            document.id,
            score,
          ]);
        };
        const expected = answer(0, 0);
        found += expected.length;
        for (const [ofText, ofQuery] of [
          [0, 1],
          [1, 1],
          [1, 0],
        ] as const)
          expect(answer(ofText, ofQuery)).toEqual(expected);
      },
    ),
    { numRuns: 500 },
  );
  expect(found).toBeGreaterThan(100);
});

test('a text of nothing but letters and stops is cut in steps, and its terms are no longer than an acronym', () => {
  for (const piece of ['a.', 'a.b ', 'R.G.P.D. ', 'a.-', 'A. ']) {
    const text = piece.repeat(Math.floor((128 * 1024) / piece.length));
    const cutting = analysingMemory('Titre', text);
    let steps = 0;
    while (!cutting.next().done) steps += 1;
    expect(steps, piece).toBeGreaterThanOrEqual(64);
    const { terms } = atOnce(analysingMemory('Titre', text));
    expect(Math.max(...[...terms.keys()].map(({ length }) => length)), piece).toBeLessThanOrEqual(12);
  }
});

test('numbers with their units are looked for among many acronyms one after the other: others run in between', () => {
  const text = 'a.b '.repeat(20_000);
  const known = atOnce(readingTerms(text));
  const stepsFor = (count: number) => {
    const query = parseQuery(Array.from({ length: count }, (_, i) => `${i + 1}pm`).join(' '));
    const finding = findingOccurrences(query, text, new TermMatches(query), known);
    let steps = 0;
    while (!finding.next().done) steps += 1;
    return steps;
  };
  expect(stepsFor(30) - stepsFor(1)).toBeGreaterThanOrEqual(29);
});
