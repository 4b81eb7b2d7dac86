import { type NormalForm, normalForms } from './dates.ts';
import { scanWords, wordText } from './fold.ts';

/** Longest term, in folded units; a longer word is several terms that overlap, all at its place. */
export const MAX_TERM = 128;
const WINDOW = MAX_TERM / 2;
/** Mentions of one term in one field that count, the first ones; later ones add nothing to a score. */
export const MAX_MENTIONS = 64;
/** Positions are counted up to here; no text of 128 KiB has more words that mean anything. */
const MAX_POSITION = 65_535;

/** The words of a text, each with its original offsets, and what stands beside them at the same places. */
export type Tokens = {
  terms: string[];
  starts: number[];
  ends: number[];
  /** Normal forms of dates and numbers, and the windows of very long words. */
  extras: NormalForm[];
};

/** Cuts a text into folded terms. */
export function tokenize(text: string): Tokens {
  const terms: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  const windows: NormalForm[] = [];
  let hasDigit = false;
  scanWords(text, (word) => {
    const first = word.codes[0] as number;
    if (first >= 48 && first <= 57) hasDigit = true;
    if (word.length <= MAX_TERM) terms.push(wordText(word));
    else {
      const whole = wordText(word);
      for (let from = WINDOW; from + WINDOW < whole.length; from += WINDOW)
        windows.push({ term: whole.slice(from, from + MAX_TERM), position: terms.length, span: 1 });
      terms.push(whole.slice(0, MAX_TERM));
    }
    starts.push(word.start);
    ends.push(word.end);
  });
  const extras = hasDigit ? normalForms(text, { terms, starts, ends }).concat(windows) : windows;
  return { terms, starts, ends, extras };
}

/** Where a term stands in a Memory: word numbers in the title and in the body, ascending, at most MAX_MENTIONS each. */
export type Places = { title: number[]; body: number[] };

/** What the index knows of one Memory. */
export type AnalysedMemory = { terms: Map<string, Places>; titleLength: number; bodyLength: number };

const NOWHERE: number[] = [];

/** The terms of a Memory with their places. */
export function analyseMemory(title: string, body: string): AnalysedMemory {
  const terms = new Map<string, Places>();
  const add = (field: keyof Places, { terms: words, extras }: Tokens) => {
    const put = (term: string, position: number): number[] => {
      const places = terms.get(term);
      const place = Math.min(position, MAX_POSITION);
      if (places === undefined) {
        const list = [place];
        terms.set(term, field === 'title' ? { title: list, body: NOWHERE } : { title: NOWHERE, body: list });
        return list;
      }
      if (places[field] === NOWHERE) places[field] = [place];
      else if (places[field].length < MAX_MENTIONS && places[field].at(-1) !== place)
        places[field].push(place);
      return places[field];
    };
    for (let i = 0; i < words.length; i++) put(words[i] as string, i);
    for (const { term, position } of extras) put(term, position).sort((a, b) => a - b);
  };
  const inTitle = tokenize(title);
  const inBody = tokenize(body);
  add('title', inTitle);
  add('body', inBody);
  return {
    terms,
    titleLength: Math.min(inTitle.terms.length, MAX_POSITION),
    bodyLength: Math.min(inBody.terms.length, MAX_POSITION),
  };
}
