import { isFunctionWord } from './function-words.ts';
import { MAX_MENTIONS } from './terms.ts';

/**
 * A number and its unit, written as one word or as two: `30ml` and `30 ml`, `4K` and `4 K`, `25m²` and `25 m²`; the number in thousands too,
 * `1200g` and `1 200 g`; a code of letters and a number, `B-2291` and `B2291`, `E 27` and `E27`; and the few words that are written with a hyphen or without,
 * `email` and `e-mail`. Terms stay as they were written: both forms are looked for when searching.
 */

/** A number and its unit, a code or the two halves of a word, as two terms that stand one after the other. */
export type NumberAndUnit = {
  number: string;
  unit: string;
  /** The first word of the number written in thousands, at which its normal form stands, and its words then; null below a thousand. */
  thousands: { first: string; words: number } | null;
};

const NUMBER = /^\d{1,15}$/;
const UNIT = /^\p{L}{1,5}\d?$/u;
const AS_ONE_WORD = /^(\d{1,15})(\p{L}{1,5}\d?)$/u;
const LETTERS = /^\p{L}{1,5}$/u;
const CODE = /^(\p{L}{1,5})(\d{1,15})$/u;

/**
 * Whether letters before a number may make a code with it: a word that names nothing does not, nor `a`, which is « à ». What is elided is a
 * letter as others are (`n° 5`).
 */
const mayBeginCode = (letters: string) =>
  LETTERS.test(letters) && letters !== 'a' && (letters.length === 1 || !isFunctionWord(letters));

/** Words as common with a hyphen as without. */
const HYPHENATED = new Map<string, [string, string]>([
  ['email', ['e', 'mail']],
  ['emails', ['e', 'mails']],
  ['weekend', ['week', 'end']],
  ['weekends', ['week', 'ends']],
]);

/** The two terms that this word is when a space is put between its number and its letters, or a hyphen in its middle; null for any other word. */
export function asTwoWords(word: string): NumberAndUnit | null {
  const halves = HYPHENATED.get(word);
  if (halves) return { number: halves[0], unit: halves[1], thousands: null };
  const [, number, unit] = AS_ONE_WORD.exec(word) ?? [];
  if (number && unit) return { number, unit, thousands: inThousands(number) };
  const [, letters = '', digits = ''] = CODE.exec(word) ?? [];
  return mayBeginCode(letters) ? { number: letters, unit: digits, thousands: null } : null;
}

function inThousands(number: string): NumberAndUnit['thousands'] {
  if (number.length <= 3 || number.startsWith('0')) return null;
  return { first: number.slice(0, number.length % 3 || 3), words: Math.ceil(number.length / 3) };
}

/** The word that two words are without what stands between them; null where they are neither a number and its unit nor a code. */
export function asOneWord(first: string, second: string): string | null {
  const isCode = NUMBER.test(second) && mayBeginCode(first);
  return isCode || (NUMBER.test(first) && UNIT.test(second)) ? first + second : null;
}

/** Places of the terms of a number and its unit in one field, ascending, at most MAX_MENTIONS each. `first`: of its first word in thousands. */
type PlacesApart = {
  number: readonly number[];
  unit: readonly number[];
  first: readonly number[];
};

/**
 * Where a number stands right before its unit in one field. Of a term with MAX_MENTIONS mentions the later places are not known: what may
 * stand there is told when nothing is sure, so that no long text is missed.
 */
export function placesTogether(
  { thousands }: NumberAndUnit,
  { number, unit, first }: PlacesApart,
): { places: number[]; isSure: boolean } {
  const units = new Set(unit);
  const firsts = new Set(first);
  const words = thousands?.words ?? 1;
  // One word stands at one place: where the first word of the thousands does, the number is the form that begins there.
  const afterNumber = (place: number) => place + (firsts.has(place) ? words : 1);
  const places = number.filter((place) => units.has(afterNumber(place)));
  if (places.length > 0 || number.length === 0 || unit.length === 0) return { places, isSure: true };
  const lastOf = (all: readonly number[]) =>
    all.length < MAX_MENTIONS ? Number.POSITIVE_INFINITY : (all.at(-1) as number);
  const [lastNumber, lastUnit, lastFirst] = [lastOf(number), lastOf(unit), lastOf(first)];
  const mayStandAt = (place: number) => place > lastUnit || units.has(place);
  const possible = [
    ...number.filter(
      (place) => afterNumber(place) > lastUnit || (place > lastFirst && mayStandAt(place + words)),
    ),
    ...unit.filter((place) => place - 1 > lastNumber).map((place) => place - 1),
  ];
  return { places: possible.slice(0, MAX_MENTIONS), isSure: false };
}
