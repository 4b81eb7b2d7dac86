import type { NormalForm, TextWords } from './forms.ts';
import type { Steps } from './pace.ts';

/**
 * Numbers written in letters, in French: `trois cents`, `vingt-quatre` and `deux mille vingt-six` are `300`, `24` and `2026`, `vingt-quatrième` is `24e`. Those of one word
 * (`huit`, `15`, `2e`, `24ème`) stay as they are written: their other spellings are looked for when searching.
 */

const pairs = (list: string) =>
  list.split(' ').map((pair): [string, number] => {
    const [word = '', value] = pair.split(':');
    return [word, Number(value)];
  });

/** Those that are also an article (`un`) or an adjective (`neuf`): numbers only beside another. */
const AMBIGUOUS: ReadonlyMap<string, number> = new Map(pairs('un:1 une:1 neuf:9'));
const UNITS: ReadonlyMap<string, number> = new Map(
  pairs('deux:2 trois:3 quatre:4 cinq:5 six:6 sept:7 huit:8'),
);
const LARGER: ReadonlyMap<string, number> = new Map(
  pairs(
    `dix:10 onze:11 douze:12 treize:13 quatorze:14 quinze:15 seize:16 vingt:20 vingts:20 trente:30 quarante:40 cinquante:50 soixante:60 septante:70 huitante:80 octante:80 nonante:90
    cent:100 cents:100 mille:1000 million:1000000 millions:1000000 milliard:1000000000 milliards:1000000000`.replace(
      /\s+/g,
      ' ',
    ),
  ),
);
const NUMERALS: ReadonlyMap<string, number> = new Map([...UNITS, ...LARGER, ...AMBIGUOUS]);
const numeralOf = (word: string) => NUMERALS.get(word);

/** Whether a word says a number in letters, `un` and `neuf` included. */
export const isNumeral = (word: string): boolean => numeralOf(word) !== undefined;

/** The number that one word says in letters, 2 to 1,000; undefined for any other word. */
export function numberInLetters(word: string): number | undefined {
  const value = UNITS.get(word) ?? LARGER.get(word);
  return value !== undefined && value <= 1_000 && !/^(?:vingts|cents)$/.test(word) ? value : undefined;
}

/** `neuvieme` → `neuf`, `trentieme` → `trente`; null for what is no ordinal. */
function ordinalRoot(word: string): string | null {
  const root = /^(.+)iemes?$/.exec(word)?.[1];
  if (root === undefined) return null;
  if (root === 'neuv') return 'neuf';
  if (root === 'cinqu') return 'cinq';
  return numeralOf(root) === undefined ? (numeralOf(`${root}e`) === undefined ? null : `${root}e`) : root;
}

/** What a word says of the numbers of its text: one is a `day` of a month or another number of one word, every number of several words has a `large` one. */
export type NumeralClue = { day: boolean; large: boolean };
const CLUES: ReadonlyMap<string, NumeralClue> = new Map(
  [...UNITS.keys(), ...LARGER.keys(), 'premier'].flatMap((word): [string, NumeralClue][] => {
    const large = LARGER.has(word);
    const day = word === 'premier' || numberInLetters(word) !== undefined;
    const ordinal = `${word.replace(/e$/, '')}ieme`;
    return [
      [word, { day, large }],
      [ordinal, { day: false, large }],
    ];
  }),
);
/** What tells whether a text has to be looked through for numbers in letters; undefined for most words. */
export const numeralClue = (word: string): NumeralClue | undefined => CLUES.get(word);

const ONE_WORD: readonly (readonly [string, number])[] = [...UNITS, ...LARGER].filter(
  ([word]) => numberInLetters(word) !== undefined,
);
const LETTERS_OF: ReadonlyMap<string, string> = new Map(
  ONE_WORD.map(([word, value]) => [String(value), word]),
);
const ORDINALS: ReadonlyMap<string, string> = new Map(
  [...ONE_WORD, ['neuf', 9] as const].map(([word, value]) => {
    const root = word === 'neuf' ? 'neuv' : word === 'cinq' ? 'cinqu' : word.replace(/e$/, '');
    return [String(value), `${root}ieme`];
  }),
);
const ORDINAL_IN_DIGITS = /^(\d{1,3})(?:e|eme|ieme)$/;

/** The other ways to write a number or an ordinal of one word: `huit` and `8`; `5e`, `5eme`, `5ieme` and `cinquieme`. */
export function otherSpellings(word: string): string[] {
  const value = numberInLetters(word);
  if (value !== undefined) return [String(value)];
  const letters = LETTERS_OF.get(word);
  if (letters !== undefined) return [letters];
  const root = ordinalRoot(word);
  const digits = ORDINAL_IN_DIGITS.exec(word)?.[1] ?? (root === null ? null : String(numeralOf(root)));
  if (digits === null || digits === '1') return [];
  const own = ORDINALS.get(digits);
  const all = [`${digits}e`, `${digits}eme`, `${digits}ieme`, ...(own === undefined ? [] : [own])];
  return all.filter((one) => one !== word);
}

/** What stands between two words of one number. */
const BETWEEN = /^[-\u2010\u2011\s\u00a0]$/;
const HYPHEN = /^[-\u2010\u2011]$/;
/** Words looked at between two steps. */
const STEP = 1_024;

/** Every number of several words, in steps. One that a hyphen ties to another word (`deux-cent-roues`) is none. */
export function* findingNumerals(text: string, { terms, starts, ends }: TextWords): Steps<NormalForm[]> {
  const found: NormalForm[] = [];
  const gap = (i: number) => text.slice(ends[i], starts[i + 1]);
  const isTied = (i: number) => i >= 0 && i + 1 < terms.length && HYPHEN.test(gap(i));
  for (let i = 0; i < terms.length; i++) {
    if (i % STEP === STEP - 1) yield;
    if (numeralOf(terms[i] as string) === undefined || isTied(i - 1)) continue;
    const number = readNumber(terms, i, (at) => at + 1 < terms.length && BETWEEN.test(gap(at)));
    if (number === null) continue;
    if (!isTied(number.last)) {
      const term = `${number.value}${number.isOrdinal ? 'e' : ''}`;
      found.push({ term, position: i, span: number.last - i + 1 });
    }
    i = number.last;
  }
  return found;
}

type Read = { value: number; last: number; isOrdinal: boolean };

/** The longest number of two words or more that begins at a word; null where none does. `goesOn`: whether a word and the next may belong to one. */
function readNumber(terms: readonly string[], first: number, goesOn: (at: number) => boolean): Read | null {
  let total = 0;
  let current = 0;
  let scale = Number.POSITIVE_INFINITY;
  let read: Read | null = null;
  let at = first;
  for (;;) {
    const word = terms[at] as string;
    const root = ordinalRoot(word);
    const value = numeralOf(root ?? word);
    if (value === undefined) return read;
    if (value >= 1_000) {
      if (value >= scale || (value > 1_000 && current === 0)) return read;
      total += (current || 1) * value;
      current = 0;
      scale = value;
    } else {
      const next = added(current, value);
      if (next === null) return read;
      current = next;
    }
    // `un` is an article until a million follows it.
    if (at > first) read = { value: total + current, last: at, isOrdinal: root !== null };
    if (root !== null || !goesOn(at)) return read;
    const isAnd = terms[at + 1] === 'et' && goesOn(at + 1);
    if (isAnd && !/^(?:une?|onze|unieme|onzieme)$/.test(terms[at + 2] as string)) return read;
    at += isAnd ? 2 : 1;
  }
}

/** What a number below a thousand is with one more word, or null where French does not go on so. */
function added(current: number, value: number): number | null {
  const tens = current % 100;
  if (value === 100) return current === 0 ? 100 : current > 1 && current < 10 ? current * 100 : null;
  if (value === 20 && tens === 4) return current + 76;
  if (value >= 20) return tens === 0 ? current + value : null;
  if (value >= 10) return tens === 0 || tens === 60 || tens === 80 ? current + value : null;
  if (tens === 10 || tens === 70 || tens === 90) return value >= 7 ? current + value : null;
  return tens === 0 || (tens >= 20 && tens % 10 === 0) ? current + value : null;
}
