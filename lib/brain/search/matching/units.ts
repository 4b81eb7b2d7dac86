import { NUMERO } from '../language/abbreviations.ts';
import { isFunctionWord } from './function-words.ts';
import { otherSpellings } from './numerals.ts';
import { MAX_MENTIONS } from './terms.ts';

/**
 * A number and its unit, written as one word or as two: `30ml` and `30 ml`, `4K` and `4 K`, `25m²` and `25 m²`; the number in thousands too,
 * `1200g` and `1 200 g`; the few units that are as often written out, `48h` and `48 heures`; a code of letters and a number, `B-2291` and `B2291`, `E 27` and `E27`;
 * and the few words that are written as one or as two, `email` and `e-mail`, `RDV` and `rendez-vous`. Terms stay as they were written: both forms are looked for
 * when searching.
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

/** Words as common with a hyphen as without, and those that stand for two which are always side by side: `SAV` is « service après-vente ». */
const HYPHENATED: readonly (readonly [one: string, first: string, second: string])[] = [
  ['email', 'e', 'mail'],
  ['email', 'e', 'mails'],
  ['emails', 'e', 'mails'],
  ['emails', 'e', 'mail'],
  ['weekend', 'week', 'end'],
  ['weekend', 'week', 'ends'],
  ['weekends', 'week', 'ends'],
  ['weekends', 'week', 'end'],
  ['wifi', 'wi', 'fi'],
  ['rdv', 'rendez', 'vous'],
  ['sav', 'apres', 'vente'],
  ['ht', 'hors', 'taxes'],
  ['ht', 'hors', 'taxe'],
];

/** Units and what they are called, each in all its writings. */
const WRITTEN_OUT: readonly (readonly string[])[] = [
  ['h', 'heure', 'heures'],
  ['min', 'mn', 'minute', 'minutes'],
  ['j', 'jour', 'jours'],
  ['kg', 'kilo', 'kilos', 'kilogramme', 'kilogrammes'],
  ['g', 'gramme', 'grammes'],
  ['l', 'litre', 'litres'],
  ['km', 'kilometre', 'kilometres'],
  ['m', 'metre', 'metres'],
  ['cm', 'centimetre', 'centimetres'],
];
const UNITS: ReadonlyMap<string, readonly string[]> = new Map(
  WRITTEN_OUT.flatMap((all) =>
    all.map((one): [string, string[]] => [one, all.filter((other) => other !== one)]),
  ),
);

/** Letters that are another word where no number stands before them: `j’ai`, `l’eau`, `m’écrire`. */
const ELIDED = /^[jlm]$/;
/** What else a unit after its number is written: `heures` for `h`. */
export const otherUnits = (unit: string): string[] =>
  (UNITS.get(unit) ?? []).filter((one) => !ELIDED.test(one));

/** The terms that this word is when a space is put between its number and its letters, or a hyphen in its middle; none for any other word. */
export function asTwoWords(word: string): NumberAndUnit[] {
  const halves = HYPHENATED.filter(([one]) => one === word);
  if (halves.length > 0) return halves.map(([, number, unit]) => ({ number, unit, thousands: null }));
  const [, number, unit] = AS_ONE_WORD.exec(word) ?? [];
  if (number && unit) {
    const typed = { number, unit, thousands: inThousands(number) };
    const numbers = [number, ...otherSpellings(number)];
    const others = (UNITS.get(unit) ?? []).flatMap((other) =>
      numbers.map((one) => ({ ...typed, number: one, unit: other })),
    );
    return [typed, ...others];
  }
  const [, letters = '', digits = ''] = CODE.exec(word) ?? [];
  return mayBeginCode(letters) ? [{ number: letters, unit: digits, thousands: null }] : [];
}

function inThousands(number: string): NumberAndUnit['thousands'] {
  if (number.length <= 3 || number.startsWith('0')) return null;
  return { first: number.slice(0, number.length % 3 || 3), words: Math.ceil(number.length / 3) };
}

/** The words that two words are without what stands between them; none where they are neither a number and its unit, nor a code, nor one of a few. */
export function asOneWord(first: string, second: string): string[] {
  if (NUMBER.test(first) && UNITS.has(second))
    return [second, ...(UNITS.get(second) ?? [])].map((unit) => first + unit);
  if (first === NUMERO && NUMBER.test(second)) return [`n${second}`];
  const isCode = NUMBER.test(second) && mayBeginCode(first);
  if (isCode || (NUMBER.test(first) && UNIT.test(second))) return [first + second];
  return HYPHENATED.filter(([, one, other]) => one === first && other === second).map(([one]) => one);
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
