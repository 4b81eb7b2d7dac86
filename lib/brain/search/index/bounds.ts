import type { Query } from '../matching/query.ts';
import { baseScore, mostTogether, mostWeighted, rounded, wantedWords } from '../matching/score.ts';
import type { MatchList } from './lists.ts';

/** More than the order in which floating-point numbers are added can change their sum. */
export const ROUNDING = 1e-9;
/** Queries of more words have too many sets of them for a table. */
const MAX_WORDS = 12;

/** Words of a query as bits: all of them, those that a Memory must hold to hold all, and those of its phrase. `hasSeveral`: of the wanted. */
type WordBits = { all: number; wanted: number; phrase: number; hasSeveral: boolean; hasPhrase: boolean };

/** The words of a query as bits: it has thirty at most. */
export function wordBits(query: Query): WordBits {
  const all = (1 << query.words.length) - 1;
  let phrase = 0;
  for (const { word } of query.phrase) phrase |= 1 << word;
  const wanted = wantedWords(query).reduce((bits, is, word) => (is ? bits | (1 << word) : bits), 0);
  return {
    all,
    wanted,
    phrase,
    hasSeveral: (wanted & (wanted - 1)) !== 0,
    hasPhrase: query.phrase.length > 1,
  };
}

/**
 * The most that a Memory can score by which words of the query it holds, and whether one is in its title: never less than what it scores. Most Memories that hold
 * common words alone are ruled out by it before anything is added up.
 */
export class Bounds {
  readonly #query: Query;
  readonly #total: number;
  readonly #bits: WordBits;
  /** What each word adds at most, by its weight: anywhere, and in a body whose title does not hold it. */
  readonly #most: number[];
  readonly #mostInBody: number[];
  /** The words that any Memory holds: one that none holds keeps all of them from holding every word. */
  readonly #somewhere: number;
  readonly #known: Float64Array | null;
  /** The bit of a Memory that holds a word in its title. */
  readonly titleBit: number;

  constructor(
    query: Query,
    total: number,
    bits: WordBits,
    lists: readonly (readonly (MatchList | null)[])[],
  ) {
    this.#query = query;
    this.#total = total;
    this.#bits = bits;
    const greatest = (of: (list: MatchList) => number) =>
      query.words.map((_, word) => Math.max(0, ...lists.map((row) => (row[word] ? of(row[word]) : 0))));
    const most = greatest(({ most }) => most);
    const inBody = greatest(({ mostInBody }) => mostInBody);
    this.#most = query.words.map(({ weight }, word) =>
      mostWeighted(most[word] as number, inBody[word] as number, weight),
    );
    this.#mostInBody = query.words.map(({ weight }, word) => weight * (inBody[word] as number));
    this.#somewhere = most.reduce((bits, one, word) => (one > 0 ? bits | (1 << word) : bits), 0);
    this.titleBit = 1 << query.words.length;
    this.#known = query.words.length > MAX_WORDS ? null : new Float64Array(this.titleBit * 2).fill(-1);
  }

  /** The most of a Memory that holds none of these words, one bit each; in `body`: nor any word in its title. */
  without(words: number, field: 'title' | 'body'): number {
    const held = this.#bits.all & this.#somewhere & ~words;
    return this.of(field === 'title' ? held | this.titleBit : held);
  }

  /** For the words whose bits `held` has, `titleBit` among them when one is in the title. */
  of(held: number): number {
    if (!this.#known) return Number.POSITIVE_INFINITY;
    const known = this.#known[held] as number;
    if (known >= 0) return known;
    const bound = this.#compute(held);
    this.#known[held] = bound;
    return bound;
  }

  #compute(held: number): number {
    const { wanted, phrase, hasSeveral, hasPhrase } = this.#bits;
    const inTitle = (held & this.titleBit) !== 0;
    const mask = held & (this.titleBit - 1);
    const most = inTitle ? this.#most : this.#mostInBody;
    let sum = 0;
    let weight = 0;
    this.#query.words.forEach((word, index) => {
      if ((mask & (1 << index)) === 0) return;
      sum += most[index] as number;
      weight += word.weight;
    });
    const title = { count: inTitle ? 1 : 0, length: 1 };
    const found = {
      several: (mask & (mask - 1)) !== 0,
      wholePhrase: hasPhrase && (mask & phrase) === phrase,
      inTitle,
    };
    const base = baseScore(sum, this.#total, title, hasSeveral && (mask & wanted) === wanted);
    return rounded(base + mostTogether(weight / this.#total, found) + ROUNDING);
  }
}
