import { isNumeroSign, NUMERO, otherLength } from '../language/abbreviations.ts';
import { englishStem, family, frenchStem } from '../language/stem.ts';
import { widerDates } from './dates.ts';
import { functionWords } from './function-words.ts';
import { otherSpellings } from './numerals.ts';
import { MAX_TERM, tokenize } from './terms.ts';
import { asOneWord, asTwoWords, type NumberAndUnit, otherUnits } from './units.ts';

/**
 * Where a word of the query is looked for: at the start of words, its other forms included; inside words, when none starts so; in words
 * one or two letters away, when none holds it.
 */
export type Level = 'start' | 'inside' | 'typo';

/** One distinct word of a query, folded; or the normal form of a date, number or acronym that it holds. */
export type QueryWord = {
  text: string;
  /** The same as it was typed first, for a person to read. */
  typed: string;
  french: string;
  english: string;
  family: string;
  /** The same with the words typed beside it, as one: `30ml` for both words of `30 ml`, `1140080x` for the three of `114-0080-X`. */
  glued: string[];
  /** The same as two words: `30` and `ml` of `30ml`. */
  apart: NumberAndUnit[];
  /** What else answers it, each a whole term: other spellings of a number, what a date is a part of or is said without its year. */
  also: string[];
  /** Whether it is no beginning of a longer word: the number and the unit of `25 g`. */
  isWhole: boolean;
  level: Level;
  /** Memories of what is searched whose Space bears it in its name, once they were counted. */
  named: number;
  /** How much it counts beside the others, once a set of Memories was ranked: 1 for the rarest. */
  weight: number;
};

export type Query = {
  /** What the caller typed, whitespace collapsed. */
  text: string;
  /** Distinct words in order of first appearance; function words only where nothing else was typed. */
  words: QueryWord[];
  /** In typed order, each as far from the first as it was typed: what a phrase must follow. A unit may stand in the word of its number. */
  phrase: { word: number; offset: number; isUnit: boolean }[];
  /** Words beyond MAX_QUERY_WORDS, which are not looked for: as they were typed, each once. */
  ignored: string[];
};

/** Distinct words beyond these are not looked for, and told; function words beside them take no place. The ranking has one bit for each, in numbers of 32. */
export const MAX_QUERY_WORDS = 30;
const MAX_PHRASE = 30;
/** Longest word that is looked for: half of the longest term, so that one term holds it whole. */
const LONGEST = MAX_TERM / 2;

/**
 * The words of a ranked query that no Memory of the scope holds in any form, nor inside another word, as they were typed. Similar spellings
 * may have matched in their place.
 */
export function unmatchedWords({ words }: Query): string[] {
  return words.filter(({ level }) => level === 'typo').map(({ typed }) => typed);
}

/** Whitespace collapsed and trimmed: the `query` field of the answer. */
export function normalizeQueryText(q: string): string {
  return q.replace(/\s+/gu, ' ').trim();
}

/** Whether a term is the normal form of a date or an hour. */
export function isDateForm(term: string): boolean {
  const first = term.charCodeAt(0);
  return first === 35 || first === 37 || first === 64;
}

/** Reads what was typed. No words (only punctuation) is a query that finds nothing. */
export function parseQuery(q: string): Query {
  const text = normalizeQueryText(q);
  const { terms, starts, ends, places, extras } = tokenize(text);
  const isFunction = functionWords(terms);
  /** By position: the normal form that stands for the words from there. */
  const forms = new Map<number, (typeof extras)[number]>();
  for (const extra of extras)
    if (!extra.isCode && extra.term.length <= LONGEST && !forms.has(extra.position))
      forms.set(extra.position, extra);

  const codes = extras.filter((extra) => extra.isCode && extra.term.length <= LONGEST);
  const typed: (Typed & { isFunction: boolean })[] = [];
  for (let position = 0; position < terms.length; ) {
    const form = forms.get(position);
    const term = form ? form.term : (terms[position] as string).slice(0, LONGEST);
    const span = form?.span ?? 1;
    const isNumero = NUMBER.test(terms[position + 1] ?? '') && isNumeroSign(text, starts[position] as number);
    if (isNumero) typed.push({ term: NUMERO, position, span, isFunction: false });
    else typed.push({ term, position, span, isFunction: !form && (isFunction[position] as boolean) });
    position += span;
  }
  const namesSomething = typed.some((word) => !word.isFunction);
  const words: QueryWord[] = [];
  const order = new Map<string, number>();
  const phrase: Query['phrase'] = [];
  const ignored = new Map<string, string>();
  for (const [nth, { term, position, span, isFunction: isMinor }] of typed.entries()) {
    let index = order.get(term);
    if (index === undefined && isMinor && namesSomething) continue;
    if (index === undefined) {
      const last = Math.min(position + span, terms.length) - 1;
      // « n° » is told with its sign.
      const end = Math.max(ends[last] as number, term === NUMERO ? (starts[position] as number) + 2 : 0);
      const asTyped = text.slice(starts[position], end);
      if (order.size === MAX_QUERY_WORDS) {
        if (!ignored.has(term)) ignored.set(term, asTyped);
        continue;
      }
      index = order.size;
      order.set(term, index);
      words.push(makeWord(term, asTyped));
    }
    const isSigned = SIGN_AFTER.test(text.slice(ends[position + span - 1]));
    if (isWholeBetween(typed[nth - 1], term, typed[nth + 1] ?? (isSigned ? SIGN : undefined)))
      (words[index] as QueryWord).isWhole = true;
    const asUnit = glueOf(typed[nth - 1], typed[nth], places);
    const asNumber = glueOf(typed[nth], typed[nth + 1], places);
    const { glued, also, apart } = words[index] as QueryWord;
    const next = typed[nth + 1]?.term ?? '';
    if (term === NUMERO && NUMBER.test(next)) apart.push({ number: 'n', unit: next, thousands: null });
    const asCode = codes.find((code) => position >= code.position && position < code.position + code.span);
    for (const one of [...asUnit, ...asNumber, ...(asCode ? [asCode.term] : [])])
      if (!glued.includes(one)) glued.push(one);
    if (asUnit.length > 0) also.push(...otherUnits(term).filter((one) => !also.includes(one)));
    if (phrase.length < MAX_PHRASE)
      phrase.push({ word: index, offset: places[position] as number, isUnit: asUnit.length > 0 });
  }
  const start = phrase[0]?.offset ?? 0;
  const fromStart = phrase.map((one) => ({ ...one, offset: one.offset - start }));
  return { text, words, phrase: fromStart, ignored: [...ignored.values()] };
}

/** Whether a word is no beginning of a longer one: a number that something follows, but for a long one, with which a reference may begin; a letter after a number, its unit. */
const isWholeBetween = (before: Typed | undefined, term: string, after: Typed | undefined): boolean =>
  /^\d{1,3}$/.test(term)
    ? after !== undefined
    : before !== undefined && /^\p{L}$/u.test(term) && /^\d+$/.test(before.term);

type Typed = { term: string; position: number; span: number };

const NUMBER = /^\d+$/;
/** A sign after a number, which ends it as a word would: `20 €` is not 2026. */
const SIGN_AFTER = /^\s?[€$£%‰]/;
const SIGN: Typed = { term: '', position: -1, span: 0 };

/** The words that two words typed one after the other make when they are a number and its unit. */
function glueOf(before: Typed | undefined, after: Typed | undefined, places: readonly number[]): string[] {
  if (!before || !after) return [];
  const last = places[before.position + before.span - 1];
  return last !== undefined && places[after.position] === last + 1 ? asOneWord(before.term, after.term) : [];
}

function makeWord(text: string, typed: string): QueryWord {
  return {
    text,
    typed,
    french: frenchStem(text),
    english: englishStem(text),
    family: family(text),
    glued: [],
    apart: asTwoWords(text),
    also: isDateForm(text) ? widerDates(text) : [...otherSpellings(text), ...otherLength(text)],
    isWhole: false,
    level: 'start',
    named: 0,
    weight: 1,
  };
}
