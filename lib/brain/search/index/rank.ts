import { isStrong } from '../match.ts';
import type { Query } from '../query.ts';
import { baseScore, type Hit, MOST_TOGETHER, rounded, together, totalWeight, weigh } from '../score.ts';
import type { MatchList } from './lists.ts';
import type { Pace } from './pace.ts';

/** A set of Memories numbered from 0: a segment, or those that are in none yet. */
export type Source = {
  count: number;
  ids: ArrayLike<string>;
  stamps: ArrayLike<string>;
  updatedAt: ArrayLike<number>;
  titleLength: ArrayLike<number>;
  /** 1 for each Memory that is gone or out of the scope; null: all are in. */
  excluded: Uint8Array | null;
  /** By index in `query.words`; null for a word that was not looked for. */
  lists: (MatchList | null)[];
};

export type Ranked = {
  memoryId: string;
  stamp: string;
  score: number;
  hits: (Hit | null)[];
  phrase: 'title' | 'body' | null;
};

/** How many Memories answer each word, those that hold it or an inflection of it when there are some; and how many there are. */
export function countMatches(query: Query, sources: readonly Source[]): { counts: number[]; total: number } {
  let total = 0;
  const strong = query.words.map(() => 0);
  const any = query.words.map(() => 0);
  for (const { count, excluded, lists } of sources) {
    total += count;
    if (excluded) for (let i = 0; i < count; i++) total -= excluded[i] as number;
    lists.forEach((list, word) => {
      if (!list) return;
      let holders = 0;
      let strongHolders = 0;
      for (let i = 0; i < list.length; i++) {
        if (excluded && excluded[list.docs[i] as number] === 1) continue;
        holders++;
        if (isStrong(list.title[i] as number) || isStrong(list.body[i] as number)) strongHolders++;
      }
      any[word] = (any[word] as number) + holders;
      strong[word] = (strong[word] as number) + strongHolders;
    });
  }
  return { counts: any.map((count, word) => (strong[word] as number) || count), total };
}

/** Best first: score, then latest change, then identifier. */
function isBetter(
  a: { score: number; updatedAt: number; id: string },
  b: { score: number; updatedAt: number; id: string },
): boolean {
  if (a.score !== b.score) return a.score > b.score;
  if (a.updatedAt !== b.updatedAt) return a.updatedAt > b.updatedAt;
  return a.id < b.id;
}

type Kept = { score: number; updatedAt: number; id: string; source: number; doc: number };

/** The `size` best of what it is offered, as a heap whose root is the worst of them. */
class Best {
  readonly #heap: Kept[] = [];
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  /** The score below which nothing more is taken. */
  get threshold(): number {
    return this.#heap.length < this.#size ? Number.NEGATIVE_INFINITY : (this.#heap[0] as Kept).score;
  }

  offer(one: Kept): void {
    const heap = this.#heap;
    if (heap.length < this.#size) {
      heap.push(one);
      let at = heap.length - 1;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (isBetter(heap[at] as Kept, heap[parent] as Kept)) break;
        this.#swap(at, parent);
        at = parent;
      }
      return;
    }
    if (!isBetter(one, heap[0] as Kept)) return;
    heap[0] = one;
    for (let at = 0; ; ) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < heap.length && isBetter(heap[worst] as Kept, heap[child] as Kept)) worst = child;
      if (worst === at) return;
      this.#swap(at, worst);
      at = worst;
    }
  }

  #swap(a: number, b: number): void {
    const kept = this.#heap[a] as Kept;
    this.#heap[a] = this.#heap[b] as Kept;
    this.#heap[b] = kept;
  }

  sorted(): Kept[] {
    return [...this.#heap].sort((a, b) => (isBetter(a, b) ? -1 : 1));
  }
}

type Totals = { sum: Float64Array; seen: Int32Array; inTitle: Uint16Array };

function addUp(query: Query, { count, lists }: Source): Totals {
  const sum = new Float64Array(count);
  const seen = new Int32Array(count);
  const inTitle = new Uint16Array(count);
  lists.forEach((list, word) => {
    if (!list) return;
    const weight = query.words[word]?.weight as number;
    const { length, docs, value, titleCount } = list;
    for (let i = 0; i < length; i++) {
      const doc = docs[i] as number;
      sum[doc] = (sum[doc] as number) + weight * (value[i] as number);
      seen[doc] = (seen[doc] as number) | (1 << word);
      inTitle[doc] = (inTitle[doc] as number) + (titleCount[i] as number);
    }
  });
  return { sum, seen, inTitle };
}

/**
 * The best `limit` Memories, exactly those that scoring every one of them would give: what a Memory can still gain from its positions is bounded, and positions
 * are read only where that could bring it in. Gives the words of the query their weights.
 */
export async function rankSources(
  query: Query,
  sources: readonly Source[],
  { counts, total: memories }: { counts: readonly number[]; total: number },
  limit: number,
  pace: Pace,
): Promise<Ranked[]> {
  weigh(query, counts, memories);
  const total = totalWeight(query);
  let all = 0;
  query.words.forEach((word, index) => {
    if (!word.minor) all |= 1 << index;
  });
  const several = (all & (all - 1)) !== 0;
  const best = new Best(limit);
  /** Those whose positions may matter, by what they have without them. */
  const open: { source: number; doc: number; base: number }[] = [];
  for (const [index, source] of sources.entries()) {
    const { sum, seen, inTitle } = addUp(query, source);
    for (let doc = 0; doc < source.count; doc++) {
      const mask = seen[doc] as number;
      if (mask === 0 || source.excluded?.[doc] === 1) continue;
      const title = { count: inTitle[doc] as number, length: source.titleLength[doc] as number };
      const base = baseScore(sum[doc] as number, total, title, several && mask === all);
      const gains = (mask & (mask - 1)) !== 0 || query.phrase.length > 1;
      if (gains) {
        if (rounded(base + MOST_TOGETHER) >= best.threshold) open.push({ source: index, doc, base });
      } else {
        const score = rounded(base);
        if (score >= best.threshold)
          best.offer({
            score,
            updatedAt: source.updatedAt[doc] as number,
            id: source.ids[doc] as string,
            source: index,
            doc,
          });
      }
    }
    if (pace.due()) await pace.rest();
  }
  open.sort((a, b) => b.base - a.base);
  for (const { source: index, doc, base } of open) {
    if (rounded(base + MOST_TOGETHER) < best.threshold) break;
    const source = sources[index] as Source;
    const score = rounded(base + together(query, total, hitsOf(source, doc)).score);
    if (score >= best.threshold)
      best.offer({
        score,
        updatedAt: source.updatedAt[doc] as number,
        id: source.ids[doc] as string,
        source: index,
        doc,
      });
    if (pace.due()) await pace.rest();
  }
  return best.sorted().map(({ source: index, doc, id, score }) => {
    const source = sources[index] as Source;
    const hits = hitsOf(source, doc);
    const { phrase } = together(query, total, hits);
    return { memoryId: id, stamp: source.stamps[doc] as string, score, hits, phrase };
  });
}

/** What was found in one Memory, by word. */
function hitsOf({ lists }: Source, doc: number): (Hit | null)[] {
  return lists.map((list) => {
    const at = list ? placeOf(list, doc) : -1;
    if (!list || at < 0) return null;
    const from = list.offset[at] as number;
    const middle = from + (list.titleCount[at] as number);
    return {
      title: list.title[at] as number,
      body: list.body[at] as number,
      titlePlaces: list.places.subarray(from, middle),
      bodyPlaces: list.places.subarray(middle, middle + (list.bodyCount[at] as number)),
    };
  });
}

function placeOf({ docs, length }: MatchList, doc: number): number {
  let low = 0;
  let high = length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const value = docs[middle] as number;
    if (value === doc) return middle;
    if (value < doc) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
