import { englishStem, family, frenchStem } from '../language/stem.ts';
import { isDateForm, type QueryWord } from './query.ts';

/** How a word of the text answers a word of the query, from best to worst. */
export type MatchKind = 'exact' | 'stem' | 'prefix' | 'inside' | 'typo';

const KINDS: readonly MatchKind[] = ['exact', 'stem', 'prefix', 'inside', 'typo'];

/**
 * A match in one number, the better the greater: its quality in hundredths and its kind. 0 is no match.
 */
export type MatchCode = number;

const code = (quality: number, kind: number): MatchCode => (quality << 3) | (7 - kind);

/** The quality of a match, 0 to 100. */
export const qualityOf = (match: MatchCode): number => match >> 3;
/** The kind of a match; null when there is none. */
export const kindOf = (match: MatchCode): MatchKind | null =>
  match === 0 ? null : (KINDS[7 - (match & 7)] as MatchKind);

const EXACT = code(100, 0);
const STEM = code(90, 1);
const FAMILY = code(55, 1);
const DATE_IN_MONTH = code(90, 2);
/** A number with its unit, in two words where one was typed, or in one where two were. */
export const WITH_UNIT = code(96, 0);
/** The same number in letters, or an ordinal with another ending. */
const OTHER_SPELLING = WITH_UNIT;
/** As much, in a text with too many mentions of one to tell whether they stand side by side. */
export const WITH_UNIT_PERHAPS = code(40, 3);

/** Whether a match is the word itself or an inflection of it: what says how common the word is. */
export const isStrong = (match: MatchCode): boolean => match >= STEM;

/** Whether the word of the query is there: what only shares its family (`rinçage` for `rince`) is about it, and is not it. */
export const isPresent = (match: MatchCode): boolean => match !== 0 && match !== FAMILY;

/**
 * Every term that `matchStart` can accept starts with this, but for those in which the word is `glued` to its number and those of `also`. Whole characters: it is
 * compared as UTF-8 too, which has no half of one.
 */
export function rangeStart({ text }: QueryWord): string {
  if (isDateForm(text)) return text;
  const start = text.slice(0, 3);
  return start.isWellFormed() ? start : start.slice(0, -1);
}

/** Whether a term starts with the word of the query, or is another form of it. */
export function matchStart(word: QueryWord, term: string): MatchCode {
  const { text } = word;
  if (word.glued.includes(term)) return WITH_UNIT;
  if (word.also.includes(term)) return isDateForm(text) ? widerDate(term) : OTHER_SPELLING;
  if (term.startsWith(text)) {
    if (term.length === text.length) return EXACT;
    if (word.isWhole) return 0;
    if (isDateForm(text)) return DATE_IN_MONTH;
    if (text.length > 2 && sharesStem(word, term)) return STEM;
    return code(62 + Math.floor((16 * text.length) / term.length), 2);
  }
  // A word of three letters is looked for as it is: these three are all of it.
  if (!term.startsWith(text.slice(0, 3)) || isDateForm(text)) return 0;
  if (sharesStem(word, term)) return STEM;
  return word.family.length > 3 && word.family !== text && family(term) === word.family ? FAMILY : 0;
}

/** A day said without its year is that day; a month or a year that holds a date is only about it. */
const widerDate = (term: string) => (term.startsWith('%') ? DATE_IN_MONTH : FAMILY);

function sharesStem(word: QueryWord, term: string): boolean {
  return frenchStem(term) === word.french || englishStem(term) === word.english;
}

/** Shortest word that is looked for inside words. */
const SHORTEST_INSIDE = 2;

/** Whether a term holds the word anywhere. */
export function matchInside(word: QueryWord, term: string): MatchCode {
  const { text } = word;
  if (
    word.isWhole ||
    text.length < SHORTEST_INSIDE ||
    isDateForm(text) ||
    isDateForm(term) ||
    !term.includes(text)
  )
    return 0;
  return code(30 + Math.floor((20 * text.length) / term.length), 3);
}

const LETTERS = /^\p{L}+$/u;

/** How many letters of a word may be wrong: none in short words and in numbers, two in words of eight letters or more. */
export function mistakesIn(text: string): 0 | 1 | 2 {
  if (text.length < 4 || !LETTERS.test(text)) return 0;
  return text.length < 8 ? 1 : 2;
}

/** Whether a term is the word but for a typing error: a letter too many, missing, wrong, or two that changed places. */
export function matchTypo(word: QueryWord, term: string): MatchCode {
  const most = mistakesIn(word.text);
  if (most === 0 || Math.abs(term.length - word.text.length) > most || isDateForm(term)) return 0;
  const distance = editDistance(word.text, term, most);
  if (distance > most) return 0;
  return code(distance === 1 ? 60 : 45, 4);
}

/** Editing steps from one word to the other (restricted Damerau-Levenshtein); more than `most` is `most + 1`. */
function editDistance(a: string, b: string, most: number): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a.charCodeAt(i - 1) === b.charCodeAt(j - 1);
      let cost = Math.min(
        (previous[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (previous[j - 1] as number) + (same ? 0 : 1),
      );
      if (
        i > 1 &&
        j > 1 &&
        a.charCodeAt(i - 1) === b.charCodeAt(j - 2) &&
        a.charCodeAt(i - 2) === b.charCodeAt(j - 1)
      )
        cost = Math.min(cost, (before[j - 2] as number) + 1);
      row.push(cost);
      if (cost < least) least = cost;
    }
    if (least > most) return most + 1;
    before = previous;
    previous = row;
  }
  return Math.min(previous[b.length] as number, most + 1);
}

/** How a term answers a word of the query at its level. */
export function matchTerm(word: QueryWord, term: string): MatchCode {
  if (word.level === 'start') return matchStart(word, term);
  return word.level === 'inside' ? matchInside(word, term) : matchTypo(word, term);
}
