import { findingAcronyms, isInitial } from './acronyms.ts';
import { findingCodes } from './codes.ts';
import { findingForms } from './dates.ts';
import { scanningWords, wordText } from './fold.ts';
import type { NormalForm, TextWords } from './forms.ts';
import { findingNumerals, numeralClue } from './numerals.ts';
import { atOnce, type Steps } from './pace.ts';

/** Longest term, in folded units; a longer word is several terms that overlap, all at its place. */
export const MAX_TERM = 128;
const WINDOW = MAX_TERM / 2;
/** Mentions of one term in one field that count, the first ones; later ones add nothing to a score. */
export const MAX_MENTIONS = 64;
/** Places are counted up to here: a text of 128 KiB that goes on has words of one or two letters. */
const LAST_PLACE = 65_535;
/** Words of a field beyond these are not read: only a text of ligatures that each stand for several words has more in 128 KiB. */
export const MAX_LENGTH = 65_535;
/** Terms put in their places between two steps. */
const STEP = 1_024;
/** How much further apart the words of two sentences are. */
const SENTENCE_GAP = 8;

/**
 * Raised whenever a text is cut into other terms, or they have other places: what a segment says was cut under an earlier one is cut anew by the
 * searches that meet it. 2: acronyms with stops. 3: numbers in letters, days without a year, references of several groups.
 * 4: hours in words, telephone numbers with their country, numbers printed in groups.
 */
export const TERMS_VERSION = 4;

/** The words of a text, each with its original offsets, and what stands beside them at the same places. */
export type Tokens = {
  terms: string[];
  starts: number[];
  ends: number[];
  /** Where each stands: one after the other, further apart where a sentence or a line ends; the letters of an acronym at one place. */
  places: number[];
  /** Normal forms of dates, numbers, acronyms and references, and the windows of very long words. */
  extras: NormalForm[];
  /** How many words there are, an acronym being one. */
  length: number;
};

/** Cuts a text into folded terms. */
export function tokenize(text: string): Tokens {
  return atOnce(tokenizing(text));
}

/** The same, in steps. */
function* tokenizing(text: string): Steps<Tokens> {
  const terms: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const windows: NormalForm[] = [];
  let hasDigit = false;
  let hasDay = false;
  let hasLargeNumeral = false;
  let hasInitial = false;
  yield* scanningWords(text, (word) => {
    if (terms.length === MAX_LENGTH) return false;
    const first = word.codes[0] as number;
    if (first >= 48 && first <= 57) hasDigit = true;
    if (isInitial(text, word.length, word.end)) hasInitial = true;
    if (word.length <= MAX_TERM) {
      const term = wordText(word);
      terms.push(term);
      const clue = numeralClue(term);
      if (clue?.large) hasLargeNumeral = true;
      if (clue?.day) hasDay = true;
    } else {
      const whole = wordText(word);
      for (let from = WINDOW; from + WINDOW < whole.length; from += WINDOW)
        windows.push({ term: whole.slice(from, from + MAX_TERM), position: terms.length, span: 1 });
      terms.push(whole.slice(0, MAX_TERM));
    }
    starts.push(word.start);
    ends.push(word.end);
    return true;
  });
  const words: TextWords = { terms, starts, ends };
  const acronyms = hasInitial ? yield* findingAcronyms(text, words) : [];
  const numerals = hasLargeNumeral ? yield* findingNumerals(text, words) : [];
  const forms = hasDigit || hasDay ? yield* findingForms(text, words, numerals) : [];
  const codes = hasDigit ? yield* findingCodes(text, words) : [];
  const places = yield* placing(text, words, acronyms);
  const length = acronyms.reduce((sum, { span }) => sum - span + 1, terms.length);
  return { terms, starts, ends, places, extras: forms.concat(numerals, acronyms, codes, windows), length };
}

/** The place of each word, in steps. The last stop of an acronym is its own: it ends no sentence. */
function* placing(
  text: string,
  { starts, ends }: TextWords,
  acronyms: readonly NormalForm[],
): Steps<number[]> {
  const places: number[] = [];
  let place = -1;
  let nth = 0;
  /** The last word of the acronym that was met last. */
  let lastLetter = -1;
  for (let i = 0; i < starts.length; i++) {
    if (i > lastLetter) {
      place += 1;
      const end = ends[i - 1] ?? 0;
      const from = nth > 0 && i === lastLetter + 1 && text[end] === '.' ? end + 1 : end;
      if (i > 0 && endsSentence(text, from, starts[i] as number)) place += SENTENCE_GAP;
    }
    places.push(Math.min(place, LAST_PLACE));
    const acronym = acronyms[nth];
    if (acronym?.position === i) {
      lastLetter = i + acronym.span - 1;
      nth++;
    }
    if (i % STEP === STEP - 1) yield;
  }
  return places;
}

/** The same, each distinct term once: what is kept of a text that is looked at for one query after another. */
export type TextTerms = {
  terms: string[];
  /** For each word of the text, the place of its term among `terms`. */
  words: Uint16Array;
  starts: Uint32Array;
  ends: Uint32Array;
  places: Uint16Array;
  extras: NormalForm[];
};

/** Reads the terms of a text, in steps. */
export function* readingTerms(text: string): Steps<TextTerms> {
  const { terms, starts, ends, places, extras } = yield* tokenizing(text);
  const numbers = new Map<string, number>();
  const words = new Uint16Array(terms.length);
  for (let i = 0; i < terms.length; i++) {
    const term = terms[i] as string;
    let number = numbers.get(term);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(term, number);
    }
    words[i] = number;
    if (i % STEP === STEP - 1) yield;
  }
  return {
    terms: [...numbers.keys()],
    words,
    starts: Uint32Array.from(starts),
    ends: Uint32Array.from(ends),
    places: Uint16Array.from(places),
    extras,
  };
}

/** Bytes that they take in memory. */
export function bytesOfTerms({ terms, words, extras }: TextTerms): number {
  return (
    400 + words.length * 12 + extras.length * 90 + terms.reduce((sum, term) => sum + 32 + term.length, 0)
  );
}

/** Whether what stands between two words ends a sentence: a mark with a space after it, or a line break. */
function endsSentence(text: string, from: number, to: number): boolean {
  for (let i = from; i < to; i++) {
    const code = text.charCodeAt(i);
    if (code === 10) return true;
    const isMark = code === 46 || code === 33 || code === 63 || code === 0x2026;
    if (isMark && i + 1 < to && /\s/.test(text[i + 1] as string)) return true;
  }
  return false;
}

/** Where a term stands in a Memory: places in the title and in the body, ascending, at most MAX_MENTIONS each. */
export type Places = { title: number[]; body: number[] };

/** What the index knows of one Memory. */
export type AnalysedMemory = { terms: Map<string, Places>; titleLength: number; bodyLength: number };

const NOWHERE: number[] = [];

/** The terms of a Memory with their places, in steps: a text can be long. */
export function* analysingMemory(title: string, body: string): Steps<AnalysedMemory> {
  const terms = new Map<string, Places>();
  function* add(field: keyof Places, { terms: words, places: all, extras }: Tokens): Steps<void> {
    const put = (term: string, position: number) => {
      const places = terms.get(term);
      const place = all[position] as number;
      if (places === undefined) {
        const list = [place];
        terms.set(term, field === 'title' ? { title: list, body: NOWHERE } : { title: NOWHERE, body: list });
        return;
      }
      const own = places[field];
      if (own === NOWHERE) places[field] = [place];
      else if (own.length < MAX_MENTIONS && own.at(-1) !== place) {
        own.push(place);
        // A form may stand before mentions of the same term as a word.
        if (place < (own.at(-2) as number)) own.sort((a, b) => a - b);
      }
    };
    for (let i = 0; i < words.length; i++) {
      put(words[i] as string, i);
      if (i % STEP === STEP - 1) yield;
    }
    for (let i = 0; i < extras.length; i++) {
      const { term, position } = extras[i] as NormalForm;
      put(term, position);
      if (i % STEP === STEP - 1) yield;
    }
  }
  const inTitle = yield* tokenizing(title);
  const inBody = yield* tokenizing(body);
  yield* add('title', inTitle);
  yield* add('body', inBody);
  return {
    terms,
    titleLength: inTitle.length,
    bodyLength: inBody.length,
  };
}
