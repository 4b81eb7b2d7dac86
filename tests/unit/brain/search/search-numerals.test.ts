import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseQuery } from '#lib/brain/search/matching/query.ts';
import { tokenize } from '#lib/brain/search/matching/terms.ts';
import { matchRanges } from '#lib/brain/search/snippet.ts';
import { rankDocuments, type SearchDocument } from '#tests/eval/exhaustive.ts';

const updatedAt = new Date('2026-01-01T00:00:00Z');
const memory = (id: string, body: string): SearchDocument => ({ id, title: 'Note', body, updatedAt });
const ids = (q: string, documents: readonly SearchDocument[]) =>
  rankDocuments(parseQuery(q), documents).map(({ document }) => document.id);
const formsOf = (text: string) => tokenize(text).extras.map(({ term }) => term);

const SMALL =
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf'.split(
    ' ',
  );
const TENS = '- - vingt trente quarante cinquante soixante soixante quatre-vingt quatre-vingt'.split(' ');

/** A number in French words, 1 to 999,999. */
function inLetters(value: number): string {
  if (value >= 1_000) {
    const [thousands, rest] = [Math.floor(value / 1_000), value % 1_000];
    // Before « mille », « cent » and « vingt » take no plural.
    const before = thousands === 1 ? '' : `${inLetters(thousands).replace(/(cent|vingt)s$/, '$1')} `;
    return `${before}mille${rest > 0 ? ` ${inLetters(rest)}` : ''}`;
  }
  if (value >= 100) {
    const [hundreds, rest] = [Math.floor(value / 100), value % 100];
    const before = hundreds === 1 ? '' : `${SMALL[hundreds]} `;
    return `${before}cent${rest > 0 ? ` ${inLetters(rest)}` : hundreds > 1 ? 's' : ''}`;
  }
  if (value < 20) return SMALL[value] as string;
  const ten = Math.floor(value / 10);
  const rest = ten === 7 || ten === 9 ? value - 10 * (ten - 1) : value % 10;
  if (rest === 0) return value === 80 ? 'quatre-vingts' : (TENS[ten] as string);
  const joined = ten < 8 && (rest === 1 || rest === 11) ? ' et ' : '-';
  return `${TENS[ten]}${joined}${SMALL[rest]}`;
}

describe('a number in letters is the number in digits', () => {
  test('every one of several words, with spaces, with the hyphens of 1990 or with both', () => {
    fc.assert(
      fc.property(fc.integer({ min: 17, max: 999_999 }), (value) => {
        const written = inLetters(value);
        for (const spelling of [written, written.replaceAll(' ', '-'), written.replaceAll('-', ' ')]) {
          if (!/[ -]/.test(spelling)) continue;
          expect(formsOf(`Il y en a ${spelling}.`), spelling).toEqual([String(value)]);
          expect(
            parseQuery(spelling).words.map(({ text }) => text),
            spelling,
          ).toEqual([String(value)]);
        }
      }),
    );
  });

  test.each([
    ['300', 'trois cents'],
    ['24', 'vingt-quatre'],
    ['80', 'quatre-vingts'],
    ['92', 'quatre-vingt-douze'],
    ['71', 'soixante et onze'],
    ['2026', 'deux mille vingt-six'],
    ['8', 'huit'],
    ['15', 'quinze'],
    ['100', 'cent'],
    ['24e', 'vingt-quatrième'],
    ['2e', 'deuxième'],
    ['5ème', 'cinquième'],
    ['9e', 'neuvième'],
    ['24ème', '24e'],
  ])('« %s » finds « %s », and the reverse', (digits, letters) => {
    for (const [typed, written] of [
      [digits, letters],
      [letters, digits],
    ] as const) {
      const documents = [
        memory('that', `Un lot de ${written} pièces.`),
        memory('other', 'Un lot de pièces.'),
      ];
      expect(ids(typed, documents), typed).toEqual(['that']);
      expect(ids(`lot de ${typed} pièces`, documents)[0], typed).toBe('that');
    }
  });

  test.each([
    ['un prix neuf'],
    ['une ou deux'],
    ['un deux-roues'],
    ['un mille-feuille'],
    ['les Deux-Sèvres'],
    ['deux trois quatre'],
    ['vingt, trente'],
    ['dix.\u00a0Vingt'],
    ['vingt-quatre-heures'],
    ['un cent mètres haies vingt'],
  ])('« %s » holds no number of several words', (text) => {
    expect(formsOf(text)).toEqual([]);
  });

  test('« neuf » is new, and « un » an article: neither is 9 or 1', () => {
    expect(ids('9', [memory('new', 'Un vélo neuf.')])).toEqual([]);
    expect(ids('1 vélo', [memory('one', 'Un chat.')])).toEqual([]);
  });

  test('is highlighted whole', () => {
    const text = 'Les vingt-quatre boutiques.';
    expect(matchRanges(parseQuery('24'), text).map(({ start, end }) => text.slice(start, end))).toEqual([
      'vingt-quatre',
    ]);
  });
});

describe('a date is found in the other ways in which French writes it', () => {
  test.each([
    ['3 mai', 'du 03/05'],
    ['3 mai', 'du trois mai'],
    ['25 décembre', 'le 25/12'],
    ['10 décembre', 'le 10/12'],
    ['1er janvier', 'le premier janvier'],
    ['24 décembre 2026', 'le vingt-quatre décembre 2026'],
    ['24 novembre 2026', 'du 24 au 26 novembre 2026'],
    ['24 novembre', 'les 24 et 26 novembre'],
    ['12 octobre', '12-15 oct.'],
  ])('« %s » in « %s »', (q, written) => {
    const other = memory('other', 'Le lundi 7 avril 2019.');
    expect(ids(q, [other, memory('that', `La fête se tient ${written}.`)])).toEqual(['that']);
  });

  test.each([
    ['10 décembre', 'Taille 10/12 ans.'],
    ['7 août', 'Ouvert 7/8.'],
    ['24 juillet', 'Ouvert 24/7.'],
    ['2 mai', 'En mai, deux boutiques ouvrent.'],
    ['20 septembre', 'Les vingt sept lots.'],
  ])('« %s » is not in « %s »', (q, body) => {
    expect(ids(q, [memory('that', body)])).toEqual([]);
  });

  test('a day asked for with its year is the day said without one, and not the same day of another year', () => {
    const documents = [
      memory('bare', 'Vernissage le vendredi 15 mai.'),
      memory('month', 'Ouverture en mai 2026.'),
      memory('other', 'Vernissage le 15 mai 2019.'),
    ];
    expect(ids('15/05/2026', documents)).toEqual(['bare', 'month']);
    const whole = memory('whole', 'Vernissage le 15 mai 2026.');
    expect(ids('15/05/2026', [...documents, whole])[0]).toBe('whole');
  });

  test('a month of a year is about what says that year, after what says the month', () => {
    const documents = [memory('year', 'Catalogue 2027.'), memory('month', 'Catalogue de janvier 2027.')];
    expect(ids('catalogue de janvier 2027', documents)).toEqual(['month', 'year']);
    expect(ids('janvier 2027', [memory('other', 'Catalogue de janvier 2026.')])).toEqual([]);
  });
});

describe('a reference of several groups is found whatever divides it', () => {
  const spellings = ['114-0080-X', '1140080X', '114.0080.X', '114/0080/x', '114_0080_X', '114‑0080‑X'];
  const others = [memory('near', 'Réf. 114-0040-X.'), memory('other', 'Réf. 114-0080-F.')];

  test.each(spellings)('%s', (typed) => {
    for (const written of spellings) {
      const documents = [...others, memory('that', `Existe en inox (${written}).`)];
      expect(ids(typed, documents)[0], `${typed} in ${written}`).toBe('that');
    }
  });

  test('and so are a reference of two numbers and a telephone number', () => {
    for (const [typed, written] of [
      ['9002213', '900-2213'],
      ['900-2213', '9002213'],
      ['0545008080', '05 45 00 80 80'],
      ['0545008080', '05.45.00.80.80'],
      ['05 45 00 80 80', '0545008080'],
    ] as const)
      expect(ids(typed, [memory('that', `Noter ${written}.`)]), `${typed} in ${written}`).toEqual(['that']);
  });

  test('its groups are still words of their own', () => {
    expect(ids('0080', [memory('that', 'Réf. 114-0080-X.')])).toEqual(['that']);
    expect(parseQuery('114-0080-X').words.map(({ text }) => text)).toEqual(['114', '0080', 'x']);
  });

  test.each([
    ['3.5 mm'],
    ['1.200.000'],
    ['12-15'],
    ['12/05/2023'],
    ['B-2291'],
    ['24/7'],
    ['porte-savon'],
    ['exemple.fr'],
  ])('« %s » is none', (text) => {
    expect(tokenize(text).extras.filter(({ isCode }) => isCode)).toEqual([]);
  });
});

describe('beside the words of a text stand', () => {
  const codesOf = (text: string) =>
    tokenize(text).extras.flatMap(({ term, isCode }) => (isCode ? [term] : []));

  test.each([
    ['On ouvre à 10 heures.', '@1000'],
    ['dès dix heures, chaque jour', '@1000'],
    ['à 19 heures 30', '@1930'],
    ['à dix-neuf heures trente', '@1930'],
    ['à dix-neuf heures trente-cinq précises', '@1935'],
    ['vers une demi-heure', ''],
    ['sous 48 heures', ''],
    ['vingt-quatre heures', ''],
    ['quelques heures', ''],
  ])('the hour of « %s »', (text, term) => {
    expect(codesOf(text)).toEqual(term === '' ? [] : [term]);
  });

  test.each([
    ['+33 5 45 00 80 80', '0545008080'],
    ['+33545008080', '0545008080'],
    ['+33 (0)5.45.00.80.80', '0545008080'],
    ['0033 5 45 00 80 80', '0545008080'],
    ['+33 5 45 00 80 8', ''],
    ['33 5 45 00 80 80', ''],
    ['+33 5 45 00 80 80 90', '0545008080'],
    ['3 760123 456789', '3760123456789'],
    ['3\u00a0760123\u00a0456789', '3760123456789'],
    ['3 760123 4567891', ''],
    ['812 345 678 00012', '81234567800012'],
    ['812 345 678', ''],
  ])('the whole number of « %s »', (text, term) => {
    expect(codesOf(`Au ${text}.`)).toEqual(term === '' ? [] : [term]);
  });
});

test('a number with a sign begins no larger one, and « n° » is told as it was typed', () => {
  const isWhole = (q: string) => parseQuery(q).words.map((word) => word.isWhole);
  expect([isWhole('20\u00a0€'), isWhole('20€'), isWhole('15 %'), isWhole('20')]).toEqual([
    [true],
    [true],
    [true],
    [false],
  ]);
  const [numero] = parseQuery('N° 12').words;
  expect(numero).toMatchObject({ text: 'numero', typed: 'N°', glued: ['n12'] });
  expect(parseQuery('ce n’est pas 12').words.map(({ text }) => text)).toEqual(['12']);
});
