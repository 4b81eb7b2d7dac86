import { foldWords } from './fold.ts';
import { isFunctionWord, stem } from './french.ts';

/** One distinct word of a query, folded. */
export type QueryWord = {
  text: string;
  stem: string;
  /** Adds to a result, but cannot make one: a function word beside words that name something. */
  minor: boolean;
};

export type Query = {
  /** What the caller typed, whitespace collapsed. */
  text: string;
  /** Distinct words in order of first appearance. */
  words: QueryWord[];
  /** Indexes into `words`, in typed order: what a phrase must follow. */
  sequence: number[];
};

/** Distinct words beyond this are left out: 200 characters hold that many only when they say nothing. */
const MAX_QUERY_WORDS = 24;
const MAX_SEQUENCE = 30;

/** Whitespace collapsed and trimmed: the `query` field of the answer. */
export function normalizeQueryText(q: string): string {
  return q.replace(/\s+/gu, ' ').trim();
}

/** Reads what was typed. No words (only punctuation) is a query that finds nothing. */
export function parseQuery(q: string): Query {
  const text = normalizeQueryText(q);
  const order = new Map<string, number>();
  const sequence: number[] = [];
  for (const { text: word } of foldWords(text)) {
    let index = order.get(word);
    if (index === undefined) {
      if (order.size === MAX_QUERY_WORDS) break;
      index = order.size;
      order.set(word, index);
    }
    if (sequence.length < MAX_SEQUENCE) sequence.push(index);
  }
  const texts = [...order.keys()];
  const namesSomething = texts.some((word) => !isFunctionWord(word));
  const words = texts.map((word) => ({
    text: word,
    stem: stem(word),
    minor: namesSomething && isFunctionWord(word),
  }));
  return { text, words, sequence };
}
