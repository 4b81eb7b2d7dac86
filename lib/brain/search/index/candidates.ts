import { type MatchList, placeOf } from './lists.ts';

/** What a ranking keeps while it goes through many Memories. */

/** Best first: score, then latest change, then identifier. */
function isBetter(
  a: { score: number; updatedAt: number; id: string },
  b: { score: number; updatedAt: number; id: string },
): boolean {
  if (a.score !== b.score) return a.score > b.score;
  if (a.updatedAt !== b.updatedAt) return a.updatedAt > b.updatedAt;
  return a.id < b.id;
}

/** A set of Memories numbered from 0: a segment, or those that are in none yet. */
export type Source = {
  count: number;
  /** How many of them are in the scope. */
  live: number;
  ids: ArrayLike<string>;
  stamps: ArrayLike<string>;
  updatedAt: ArrayLike<number>;
  titleLength: ArrayLike<number>;
  /** 1 for each Memory that is gone or out of the scope; null: all are in. */
  excluded: Uint8Array | null;
  /** By index in `query.words`; null for a word that was not looked for. */
  lists: (MatchList | null)[];
};

/** A set of Memories by number. */
type Numbered = { ids: ArrayLike<string>; updatedAt: ArrayLike<number> };

type Kept = { score: number; updatedAt: number; id: string; source: number; doc: number };

/** The `size` best of what it is offered, as a heap whose root is the worst of them. */
export class TopK {
  readonly #heap: Kept[] = [];
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  /** The score below which nothing more is taken. */
  get threshold(): number {
    return this.#heap.length < this.#size ? Number.NEGATIVE_INFINITY : (this.#heap[0] as Kept).score;
  }

  offer(score: number, { updatedAt, ids }: Numbered, source: number, doc: number): void {
    const heap = this.#heap;
    const one = { score, updatedAt: updatedAt[doc] as number, id: ids[doc] as string, source, doc };
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

/** A threshold: the least of the `size` greatest numbers that it is offered, kept as a heap. */
export class TopKThreshold {
  readonly #heap: number[] = [];
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  /** The least of the `size` greatest; -∞ while fewer were offered. */
  get least(): number {
    return this.#heap.length < this.#size ? Number.NEGATIVE_INFINITY : (this.#heap[0] as number);
  }

  offer(value: number): void {
    const heap = this.#heap;
    if (heap.length < this.#size) {
      let at = heap.push(value) - 1;
      for (let parent = (at - 1) >> 1; at > 0 && (heap[parent] as number) > value; parent = (at - 1) >> 1) {
        heap[at] = heap[parent] as number;
        at = parent;
      }
      heap[at] = value;
      return;
    }
    if (value <= (heap[0] as number)) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && (heap[child + 1] as number) < (heap[child] as number)) child++;
      if ((heap[child] as number) >= value) break;
      heap[at] = heap[child] as number;
      at = child;
    }
    heap[at] = value;
  }
}

/** Memories whose places may matter, in arrays: there can be a hundred thousand of them. */
export class OpenCandidates {
  length = 0;
  source = new Uint32Array(1_024);
  doc = new Uint32Array(1_024);
  base = new Float64Array(1_024);
  /** What it scores at most. */
  most = new Float64Array(1_024);

  push(source: number, doc: number, base: number, most: number): void {
    if (this.length === this.doc.length) {
      this.source = grown(this.source, new Uint32Array(this.length * 4));
      this.doc = grown(this.doc, new Uint32Array(this.length * 4));
      this.base = grown(this.base, new Float64Array(this.length * 4));
      this.most = grown(this.most, new Float64Array(this.length * 4));
    }
    this.source[this.length] = source;
    this.doc[this.length] = doc;
    this.base[this.length] = base;
    this.most[this.length++] = most;
  }

  /** Those that can score so much, the most promising first. */
  from(least: number): Uint32Array {
    const indexes: number[] = [];
    for (let i = 0; i < this.length; i++) if ((this.most[i] as number) >= least) indexes.push(i);
    return Uint32Array.from(indexes).sort((a, b) => (this.most[b] as number) - (this.most[a] as number));
  }
}

function grown<A extends Uint32Array | Float64Array>(from: A, to: A): A {
  to.set(from);
  return to;
}

/** Looking for a Memory in a list costs about so many steps of going through it. */
export const PROBE = 16;

type Lists = { count: number; lists: readonly (MatchList | null)[] };

/** The Memories of one source: the words that each holds, one bit each, and where it stands in the list of each. */
export class Holders {
  readonly seen: Int32Array;
  readonly #at: Uint16Array;
  readonly #most: number;

  constructor(words: number, most: number) {
    this.seen = new Int32Array(most);
    this.#at = new Uint16Array(words * most);
    this.#most = most;
  }

  /** Of the words of `weak` (one bit each), only what the Memories hold that hold another word. */
  read({ count, lists }: Lists, titleBit: number, weak: number): void {
    const seen = this.seen.fill(0, 0, count);
    let strongest = 0;
    for (let word = 0; word < lists.length; word++) {
      const list = lists[word];
      if (!list || (weak & (1 << word)) !== 0) continue;
      const { length, docs, title } = list;
      const at = this.#at.subarray(word * this.#most);
      const bit = 1 << word;
      const both = bit | titleBit;
      for (let i = 0; i < length; i++) {
        const doc = docs[i] as number;
        at[doc] = i;
        seen[doc] = (seen[doc] as number) | (title[i] === 0 ? bit : both);
      }
      strongest += length;
    }
    for (let word = 0; word < lists.length; word++) {
      const list = lists[word];
      if (!list || (weak & (1 << word)) === 0) continue;
      if (strongest * PROBE < list.length) this.#probe(lists, word, titleBit, weak);
      else this.#join(list, word, titleBit);
    }
  }

  /** Goes through the list of a word for those Memories that hold another. */
  #join({ length, docs, title }: MatchList, word: number, titleBit: number): void {
    const { seen } = this;
    const at = this.#at.subarray(word * this.#most);
    const bit = 1 << word;
    for (let i = 0; i < length; i++) {
      const doc = docs[i] as number;
      if (seen[doc] === 0) continue;
      at[doc] = i;
      seen[doc] = (seen[doc] as number) | (title[i] === 0 ? bit : bit | titleBit);
    }
  }

  /** The same for few Memories and a long list: each is looked for in it. */
  #probe(lists: Lists['lists'], word: number, titleBit: number, weak: number): void {
    const { seen } = this;
    const list = lists[word] as MatchList;
    const at = this.#at.subarray(word * this.#most);
    const bit = 1 << word;
    for (let other = 0; other < lists.length; other++) {
      const some = lists[other];
      if (!some || (weak & (1 << other)) !== 0) continue;
      for (let k = 0; k < some.length; k++) {
        const doc = some.docs[k] as number;
        const i = placeOf(list, doc);
        if (i < 0) continue;
        at[doc] = i;
        seen[doc] = (seen[doc] as number) | (list.title[i] === 0 ? bit : bit | titleBit);
      }
    }
  }

  /** Where a Memory that holds a word stands in its list. */
  at(word: number, doc: number): number {
    return this.#at[word * this.#most + doc] as number;
  }
}
