import { isPresent, isStrong, type MatchCode } from '../matching/match.ts';
import type { Pace } from '../matching/pace.ts';
import type { Query } from '../matching/query.ts';
import {
  baseScore,
  farthestTogether,
  type Hit,
  mostTogether,
  rounded,
  together,
  totalWeight,
  weigh,
  weighted,
} from '../matching/score.ts';
import { Bounds, ROUNDING, wordBits } from './bounds.ts';
import { Holders, OpenCandidates, PROBE, TopK, TopKThreshold } from './candidates.ts';
import { type MatchList, placeOf } from './lists.ts';

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
  for (const { live, excluded, lists } of sources) {
    total += live;
    lists.forEach((list, word) => {
      if (!list) return;
      let holders = list.length;
      let strongHolders = list.strong;
      for (let i = 0; excluded && i < list.length; i++) {
        if (excluded[list.docs[i] as number] === 0) continue;
        holders--;
        if (isStrong(list.title[i] as number) || isStrong(list.body[i] as number)) strongHolders--;
      }
      any[word] = (any[word] as number) + holders;
      strong[word] = (strong[word] as number) + strongHolders;
    });
  }
  return { counts: any.map((count, word) => (strong[word] as number) || count), total };
}

/** Of more words it costs as much to tell whether two stand near each other as to say what that is worth. */
const FEW_WORDS = 6;

/** Half of the last decimal of a score: what rounding can add. */
const HALF_STEP = 0.0005;

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
  const bits = wordBits(query);
  const { all, wanted, phrase, hasSeveral, hasPhrase } = bits;
  const bounds = new Bounds(
    query,
    total,
    bits,
    sources.map(({ lists }) => lists),
  );
  const { titleBit } = bounds;
  const holders = new Holders(query.words.length, Math.max(...sources.map(({ count }) => count)));
  const best = new TopK(limit);
  /** The best scores without places: as many Memories score at least so much. */
  const floor = new TopKThreshold(limit);
  const open = new OpenCandidates();
  const found = { several: false, wholePhrase: false, inTitle: false };
  const title = { count: 0, length: 0 };
  const consider = (source: Source, index: number, doc: number, held: number) => {
    const { lists } = source;
    const mask = held & (titleBit - 1);
    let sum = 0;
    let weight = 0;
    let holdsAll = hasSeveral && (mask & wanted) === wanted;
    title.count = 0;
    for (let word = 0; word < lists.length; word++) {
      if ((mask & (1 << word)) === 0) continue;
      const list = lists[word] as MatchList;
      const at = holders.at(word, doc);
      const own = (query.words[word] as Query['words'][number]).weight;
      sum += weighted(list.value[at] as number, list.title[at] as MatchCode, own);
      weight += own;
      title.count += list.titleCount[at] as number;
      if (holdsAll && (wanted & (1 << word)) !== 0)
        holdsAll = isPresent(list.title[at] as MatchCode) || isPresent(list.body[at] as MatchCode);
    }
    title.length = source.titleLength[doc] as number;
    const base = baseScore(sum, total, title, holdsAll);
    found.several = (mask & (mask - 1)) !== 0;
    found.wholePhrase = hasPhrase && (mask & phrase) === phrase;
    if (found.several || found.wholePhrase) {
      found.inTitle = title.count > 0;
      const most = base + mostTogether(weight / total, found) + ROUNDING;
      if (rounded(most) < floor.least) return;
      floor.offer(rounded(base));
      open.push(index, doc, base, most);
    } else {
      const score = rounded(base);
      if (score < floor.least) return;
      floor.offer(score);
      best.offer(score, source, index, doc);
    }
  };
  const weakestFirst = query.words.map((_, index) => 1 << index).sort((a, b) => bounds.of(a) - bounds.of(b));
  /** The words, one bit each, that together do not bring a body in: whoever holds no other is passed over unseen. */
  const weakWords = () => {
    let weak = 0;
    for (const bit of weakestFirst) {
      if (bounds.of(weak | bit) >= floor.least) break;
      weak |= bit;
    }
    return weak;
  };
  /** Those of `docs` that hold none of the words of `passed`, one bit each, once each. */
  const visit = (source: Source, index: number, docs: Int32Array, passed: number) => {
    const { excluded } = source;
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i] as number;
      const held = holders.seen[doc] as number;
      if (held === 0 || (excluded !== null && excluded[doc] === 1)) continue;
      holders.seen[doc] = 0;
      if ((held & passed) === 0 && bounds.of(held) >= floor.least) consider(source, index, doc, held);
    }
  };
  /** The words whose Memories were all looked at, one bit each. */
  let done = 0;
  // Words that are much rarer first: once enough Memories that hold one score more than any without it could, no other is looked at.
  for (const word of muchRarer(query, sources)) {
    const bit = 1 << word;
    for (const [index, source] of sources.entries()) {
      const list = source.lists[word];
      if (!list || list.length === 0) continue;
      holders.read(source, titleBit, all & ~bit);
      visit(source, index, list.docs, done);
      if (pace.due()) await pace.rest();
    }
    done |= bit;
  }
  // Then titles: once enough of them score more than any body can, no other Memory is looked at.
  for (const field of ['title', 'body'] as const) {
    for (const [index, source] of sources.entries()) {
      if (bounds.without(done, field) < floor.least) break;
      const weak = field === 'title' ? done : weakWords() | done;
      const docs = source.lists.flatMap((list, word) =>
        list && (weak & (1 << word)) === 0 ? [field === 'title' ? list.titleDocs : list.docs] : [],
      );
      if (docs.every(({ length }) => length === 0)) continue;
      holders.read(source, titleBit, weak);
      for (const some of docs) visit(source, index, some, field === 'title' ? done : done | titleBit);
      if (pace.due()) await pace.rest();
    }
  }
  const farthest = farthestTogether(query);
  // A phrase of one word twice (« bora bora ») is held by a word alone.
  const isSmall =
    query.words.length <= FEW_WORDS &&
    new Set(query.phrase.map(({ word }) => word)).size === query.phrase.length;
  for (const at of open.from(floor.least - HALF_STEP)) {
    if (rounded(open.most[at] as number) < best.threshold) break;
    const index = open.source[at] as number;
    const source = sources[index] as Source;
    const doc = open.doc[at] as number;
    const base = open.base[at] as number;
    const isApart = isSmall && standApart(source.lists, doc, farthest);
    const score = rounded(isApart ? base : base + together(query, total, hitsOf(source, doc)).score);
    if (score >= best.threshold) best.offer(score, source, index, doc);
    if (pace.due()) await pace.rest();
  }
  const ranked: Ranked[] = [];
  for (const { source: index, doc, id, score } of best.sorted()) {
    const source = sources[index] as Source;
    const hits = hitsOf(source, doc);
    const { phrase } = together(query, total, hits);
    ranked.push({ memoryId: id, stamp: source.stamps[doc] as string, score, hits, phrase });
    if (pace.due()) await pace.rest();
  }
  return ranked;
}

/**
 * The words of a query, the rarest first, whose Memories are looked at before all others: going through the lists of the words that come after costs more than
 * looking for the Memories of one in them.
 */
function muchRarer(query: Query, sources: readonly Source[]): number[] {
  const lengths = query.words.map((_, word) =>
    sources.reduce((sum, { lists }) => sum + (lists[word]?.length ?? 0), 0),
  );
  const words = [...lengths.keys()]
    .filter((word) => (lengths[word] as number) > 0)
    .sort((a, b) => (lengths[a] as number) - (lengths[b] as number));
  let after = lengths.reduce((sum, length) => sum + length, 0);
  const end = words.findIndex((word) => {
    const own = lengths[word] as number;
    after -= own;
    return own * PROBE > after;
  });
  return words.slice(0, end);
}

const NOWHERE = new Uint16Array(0);

/** What was found in one Memory, by word. */
function hitsOf({ lists }: Source, doc: number): (Hit | null)[] {
  return lists.map((list) => {
    const at = list ? placeOf(list, doc) : -1;
    if (!list || at < 0) return null;
    const from = list.offset[at] as number;
    const inTitle = list.titleCount[at] as number;
    const middle = from + inTitle;
    return {
      title: list.title[at] as number,
      body: list.body[at] as number,
      titlePlaces: inTitle === 0 ? NOWHERE : list.places.subarray(from, middle),
      bodyPlaces: list.places.subarray(middle, middle + (list.bodyCount[at] as number)),
    };
  });
}

/** Whether no two words stand within `farthest` places of each other in the title or the body of a Memory: then nothing is added for their nearness. */
function standApart(lists: readonly (MatchList | null)[], doc: number, farthest: number): boolean {
  const spans: Span[] = [];
  for (const list of lists) {
    const at = list ? placeOf(list, doc) : -1;
    if (!list || at < 0) continue;
    const from = list.offset[at] as number;
    const middle = from + (list.titleCount[at] as number);
    const to = middle + (list.bodyCount[at] as number);
    for (const other of spans) {
      if (areNear(list.places, from, middle, other.places, other.from, other.middle, farthest)) return false;
      if (areNear(list.places, middle, to, other.places, other.middle, other.to, farthest)) return false;
    }
    spans.push({ places: list.places, from, middle, to });
  }
  return true;
}

type Span = { places: Uint16Array; from: number; middle: number; to: number };

function areNear(
  a: Uint16Array,
  aFrom: number,
  aTo: number,
  b: Uint16Array,
  bFrom: number,
  bTo: number,
  farthest: number,
): boolean {
  let i = aFrom;
  let j = bFrom;
  while (i < aTo && j < bTo) {
    const gap = (a[i] as number) - (b[j] as number);
    if (Math.abs(gap) <= farthest) return true;
    if (gap < 0) i++;
    else j++;
  }
  return false;
}
