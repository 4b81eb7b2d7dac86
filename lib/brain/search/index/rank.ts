import { isStrong } from '../matching/match.ts';
import type { Pace } from '../matching/pace.ts';
import type { Query } from '../matching/query.ts';
import { farthestTogether, type Hit, rounded, together, totalWeight, weigh } from '../matching/score.ts';
import type { Source } from './candidates.ts';
import { Candidates } from './collect-candidates.ts';
import { type MatchList, placeOf } from './lists.ts';

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
  const candidates = new Candidates(query, total, sources, limit);
  await candidates.collect(pace);
  await scoreOpen(query, total, sources, candidates, pace);
  const ranked: Ranked[] = [];
  for (const { source: index, doc, id, score } of candidates.best.sorted()) {
    const source = sources[index] as Source;
    const hits = hitsOf(source, doc);
    const { phrase } = together(query, total, hits);
    ranked.push({ memoryId: id, stamp: source.stamps[doc] as string, score, hits, phrase });
    if (pace.due()) await pace.rest();
  }
  return ranked;
}

/** Gives `best` the open candidates with what their places add, the most promising first, until no other can come in. */
async function scoreOpen(
  query: Query,
  total: number,
  sources: readonly Source[],
  { best, open, floor }: Candidates,
  pace: Pace,
): Promise<void> {
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
