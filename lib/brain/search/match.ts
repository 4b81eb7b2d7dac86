import { type ScannedWord, scanWords, wordText } from './fold.ts';
import { stem } from './french.ts';
import type { Query } from './query.ts';

/** How a word of the text answers a word of the query, from best to worst. */
export type MatchKind = 'exact' | 'stem' | 'prefix' | 'inside';

export type FieldWordMatch = { kind: MatchKind; quality: number; count: number };

/** What one field (title or body) of one Memory says about a query. */
export type FieldMatch = {
  /** By index in `query.words`; null: absent from this field. */
  words: (FieldWordMatch | null)[];
  /** Whether the words follow each other as typed. */
  phrase: boolean;
  /** Words of the field, and how many of them answer the query. */
  length: number;
  matched: number;
  /** Fewest words spanning every major word of the query; null when one is absent or there is only one. */
  span: number | null;
};

/** One occurrence in the original text, in UTF-16 units. */
export type Occurrence = { word: number; kind: MatchKind; start: number; end: number; position: number };

const EXACT = 1;
const SAME_STEM = 0.9;

/** A query made ready to be compared with many texts. */
export type Matcher = {
  query: Query;
  codes: Uint16Array[];
  stems: Uint16Array[];
  /** First folded units of the words that are matched at the start of a word. */
  firsts: Set<number>;
  /** Words looked for inside words, because nothing starts with them. */
  inside: ReadonlySet<number>;
  startMask: number[];
  finalBit: number;
};

const NONE: ReadonlySet<number> = new Set();

/** Prepares a query; `inside` holds the indexes of the words to look for inside words. */
export function createMatcher(query: Query, inside: ReadonlySet<number> = NONE): Matcher {
  const codes = query.words.map((word) => encode(word.text));
  const stems = query.words.map((word) => encode(word.stem));
  const startMask = query.words.map((_, index) =>
    query.sequence.reduce((mask, word, place) => (word === index ? mask | (1 << place) : mask), 0),
  );
  return {
    query,
    codes,
    stems,
    firsts: new Set(stems.map((code) => code[0] as number)),
    inside,
    startMask,
    finalBit: query.sequence.length > 1 ? 1 << (query.sequence.length - 1) : 0,
  };
}

function encode(text: string): Uint16Array {
  const codes = new Uint16Array(text.length);
  for (let i = 0; i < text.length; i++) codes[i] = text.charCodeAt(i);
  return codes;
}

function startsWith(word: ScannedWord, codes: Uint16Array): boolean {
  if (word.length < codes.length) return false;
  for (let i = 0; i < codes.length; i++) if (word.codes[i] !== codes[i]) return false;
  return true;
}

function indexInside(word: ScannedWord, codes: Uint16Array): number {
  for (let from = 0; from + codes.length <= word.length; from++) {
    let i = 0;
    while (i < codes.length && word.codes[from + i] === codes[i]) i++;
    if (i === codes.length) return from;
  }
  return -1;
}

type WordMatch = { kind: MatchKind; quality: number; from: number; to: number };

/** How the scanned word answers word `index` of the query; `from`/`to` are folded units. */
function matchWord(matcher: Matcher, index: number, word: ScannedWord): WordMatch | null {
  const codes = matcher.codes[index] as Uint16Array;
  const queryWord = matcher.query.words[index] as Query['words'][number];
  if (matcher.inside.has(index)) {
    const from = indexInside(word, codes);
    if (from < 0) return null;
    return {
      kind: 'inside',
      quality: 0.3 + (0.2 * codes.length) / word.length,
      from,
      to: from + codes.length,
    };
  }
  if (startsWith(word, codes)) {
    if (word.length === codes.length) return { kind: 'exact', quality: EXACT, from: 0, to: word.length };
    if (queryWord.minor) return null;
    if (stem(wordText(word)) === queryWord.stem)
      return { kind: 'stem', quality: SAME_STEM, from: 0, to: word.length };
    return { kind: 'prefix', quality: 0.55 + (0.35 * codes.length) / word.length, from: 0, to: codes.length };
  }
  if (queryWord.minor || queryWord.stem.length < 3) return null;
  if (!startsWith(word, matcher.stems[index] as Uint16Array)) return null;
  if (stem(wordText(word)) !== queryWord.stem) return null;
  return { kind: 'stem', quality: SAME_STEM, from: 0, to: word.length };
}

function eachMatch(
  matcher: Matcher,
  text: string,
  visit: (index: number, match: WordMatch, word: ScannedWord, position: number) => void,
  each?: (position: number) => void,
): void {
  const count = matcher.codes.length;
  const everyWord = matcher.inside.size > 0;
  scanWords(text, (word, position) => {
    each?.(position);
    if (!everyWord && !matcher.firsts.has(word.codes[0] as number)) return;
    for (let index = 0; index < count; index++) {
      const match = matchWord(matcher, index, word);
      if (match) visit(index, match, word, position);
    }
  });
}

/** Compares one field with the query, in one pass over the text. */
export function matchField(matcher: Matcher, text: string): FieldMatch {
  const { query } = matcher;
  const words: (FieldWordMatch | null)[] = query.words.map(() => null);
  const last: number[] = query.words.map(() => -1);
  const majors = query.words.flatMap((word, index) => (word.minor ? [] : [index]));
  const lastPlace = query.sequence.length - 1;
  let state = 0;
  let mask = 0;
  let phrase = false;
  let length = 0;
  let matched = 0;
  let lastMatched = -1;
  let span: number | null = null;

  // Shift-And: bit j of `state` says that the words so far end with the first j + 1 words of the query.
  const closeWord = () => {
    state = ((state << 1) | 1) & mask;
    if ((state & matcher.finalBit) !== 0) phrase = true;
    mask = 0;
  };

  eachMatch(
    matcher,
    text,
    (index, match, _word, position) => {
      const known = words[index];
      if (!known) words[index] = { kind: match.kind, quality: match.quality, count: 1 };
      else {
        known.count++;
        if (match.quality > known.quality) {
          known.kind = match.kind;
          known.quality = match.quality;
        }
      }
      if (lastMatched !== position) {
        matched++;
        lastMatched = position;
      }
      const whole = match.kind === 'exact' || match.kind === 'stem';
      mask |= whole
        ? (matcher.startMask[index] as number)
        : (matcher.startMask[index] as number) & (1 << lastPlace);
      last[index] = position;
      if (majors.length > 1 && !(query.words[index] as Query['words'][number]).minor) {
        let oldest = position;
        for (const major of majors) oldest = Math.min(oldest, last[major] as number);
        if (oldest >= 0 && (span === null || position - oldest + 1 < span)) span = position - oldest + 1;
      }
    },
    (position) => {
      closeWord();
      length = position + 1;
    },
  );
  closeWord();
  return { words, phrase, length, matched, span };
}

/** Every occurrence of the query's words in the original text, in order. Minor words are left out. */
export function findOccurrences(matcher: Matcher, text: string): Occurrence[] {
  const found: Occurrence[] = [];
  eachMatch(matcher, text, (index, match, word, position) => {
    if ((matcher.query.words[index] as Query['words'][number]).minor) return;
    const start = match.from === 0 ? word.start : (word.origins[match.from] as number);
    let to = match.to;
    // A ligature folds to two units of one character: the range covers the whole character.
    while (to < word.length && word.origins[to] === word.origins[to - 1]) to++;
    const end = to === word.length ? word.end : (word.origins[to] as number);
    found.push({ word: index, kind: match.kind, start, end, position });
  });
  return found;
}
