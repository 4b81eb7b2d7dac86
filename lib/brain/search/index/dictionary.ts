import { type MatchCode, matchInside, matchTypo, mistakesIn } from '../matching/match.ts';
import type { Steps } from '../matching/pace.ts';
import type { QueryWord } from '../matching/query.ts';

/** The terms of a segment, for words that begin none of them; with the letters of each, which rule out most at once. */
export type Dictionary = { terms: readonly string[]; masks: Uint32Array };

/** Bytes read, and terms looked at, between two steps: a segment can hold half a million terms. */
const STEP_BYTES = 16_384;
const STEP = 1_024;
const LINE_FEED = 10;

/** Reads the terms of a segment, one a line of UTF-8, in steps. */
export function* readingDictionary(bytes: Buffer): Steps<Dictionary> {
  const terms: string[] = [];
  for (let from = 0; from < bytes.length; ) {
    const lineEnd = bytes.indexOf(LINE_FEED, from + STEP_BYTES);
    const to = lineEnd < 0 ? bytes.length : lineEnd;
    for (const term of bytes.toString('utf8', from, to).split('\n')) terms.push(term);
    from = to + 1;
    yield;
  }
  const masks = new Uint32Array(terms.length);
  for (let i = 0; i < terms.length; i++) {
    if (i % STEP === 0) yield;
    masks[i] = lettersOf(terms[i] as string);
  }
  return { terms, masks };
}

/** One bit for each letter that a word has; what is no letter of `a` to `z` shares six others. */
function lettersOf(word: string): number {
  let mask = 0;
  for (let i = 0; i < word.length; i++) {
    const code = word.charCodeAt(i);
    mask |= 1 << (code >= 97 && code <= 122 ? code - 97 : 26 + (code % 6));
  }
  return mask >>> 0;
}

/** The terms that hold a word anywhere, each with its match, in steps. */
export function* findingTermsHolding(
  word: QueryWord,
  { terms, masks }: Dictionary,
): Steps<Map<string, MatchCode>> {
  const found = new Map<string, MatchCode>();
  const wanted = lettersOf(word.text);
  for (let i = 0; i < terms.length; i++) {
    if (i % STEP === 0) yield;
    if (((masks[i] as number) & wanted) >>> 0 !== wanted) continue;
    const match = matchInside(word, terms[i] as string);
    if (match !== 0) found.set(terms[i] as string, match);
  }
  return found;
}

/** The terms that are a word but for a typing error, each with its match, in steps. */
export function* findingTermsNear(
  word: QueryWord,
  { terms, masks }: Dictionary,
): Steps<Map<string, MatchCode>> {
  const found = new Map<string, MatchCode>();
  const most = mistakesIn(word.text);
  if (most === 0) return found;
  const wanted = lettersOf(word.text);
  for (let i = 0; i < terms.length; i++) {
    if (i % STEP === 0) yield;
    const term = terms[i] as string;
    // A wrong letter takes one away and brings one: what differs in more letters is further away.
    if (Math.abs(term.length - word.text.length) > most || bits((masks[i] as number) ^ wanted) > 2 * most)
      continue;
    const match = matchTypo(word, term);
    if (match !== 0) found.set(term, match);
  }
  return found;
}

function bits(mask: number): number {
  let rest = mask - ((mask >>> 1) & 0x55555555);
  rest = (rest & 0x33333333) + ((rest >>> 2) & 0x33333333);
  return (((rest + (rest >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
