import { MAX_MENTIONS } from './terms.ts';

/**
 * A number and its unit, written as one word or as two: `30ml` and `30 ml`, `4K` and `4 K`, `25m²` and `25 m²`. Terms stay as they were written:
 * both forms are looked for when searching.
 */

/** A number and its unit, as two terms that stand one after the other. */
export type NumberAndUnit = readonly [number: string, unit: string];

const NUMBER = /^\d{1,15}$/;
const UNIT = /^\p{L}{1,5}\d?$/u;
const AS_ONE_WORD = /^(\d{1,15})(\p{L}{1,5}\d?)$/u;

/** The two terms that this word is when a space is put between its number and its unit; null for any other word. */
export function asTwoWords(word: string): NumberAndUnit | null {
  const [, number, unit] = AS_ONE_WORD.exec(word) ?? [];
  return number && unit ? [number, unit] : null;
}

/** The word that a number and the word after it are without the space between them; null where they are no number and unit. */
export function asOneWord(number: string, unit: string): string | null {
  return NUMBER.test(number) && UNIT.test(unit) ? number + unit : null;
}

/**
 * Where a number stands right before its unit in one field, given the places of both (ascending, at most MAX_MENTIONS each). Of a term with that many mentions the later
 * places are not known: what may stand there is told when nothing is sure, so that no long text is missed.
 */
export function placesTogether(
  number: readonly number[],
  unit: readonly number[],
): { places: number[]; isSure: boolean } {
  const units = new Set(unit);
  const places = number.filter((place) => units.has(place + 1));
  if (places.length > 0 || number.length === 0 || unit.length === 0) return { places, isSure: true };
  const lastOf = (all: readonly number[]) =>
    all.length < MAX_MENTIONS ? Number.POSITIVE_INFINITY : (all.at(-1) as number);
  const [lastNumber, lastUnit] = [lastOf(number), lastOf(unit)];
  const possible = [
    ...number.filter((place) => place + 1 > lastUnit),
    ...unit.filter((place) => place - 1 > lastNumber).map((place) => place - 1),
  ];
  return { places: possible.slice(0, MAX_MENTIONS), isSure: false };
}
