import { isPresent, kindOf, type MatchCode, type MatchKind, qualityOf } from './match.ts';
import { MAX_QUERY_WORDS, type Query } from './query.ts';

/**
 * The score of a Memory for a query: pure functions of what was found in it and of how common each word is. It never depends on how
 * many results are wanted, nor on how they were found.
 */

/** Where one word of the query was found in one Memory. */
export type Hit = {
  /** Best match in the title and in the body; 0: none. */
  title: MatchCode;
  body: MatchCode;
  /** Word numbers, ascending and distinct, at most MAX_MENTIONS. */
  titlePlaces: ArrayLike<number>;
  bodyPlaces: ArrayLike<number>;
};

/** Why a result is where it is, for a person to read. */
export type Explanation = {
  inTitle: boolean;
  inBody: boolean;
  exactPhrase: 'title' | 'body' | null;
  /** Every word that is wanted is there, itself or in a form of it: one of its family is not enough. */
  allWords: boolean;
  /** One entry per word of the query that counts, in typed order. */
  words: { word: string; title: MatchKind | null; body: MatchKind | null }[];
};

/** The rarest word of a query is worth at least 5.5 in a title, itself or in another form; in a body at most 4.8. */
const TITLE = 10;
/** What a title loses of a word that all hold: the same word is still worth more there than in a body. */
const TITLE_OF_COMMON = 5;
const BODY = 3;
const BODY_BESIDE_TITLE = 0.4;
const ALL_WORDS = 3;
const PHRASE_IN_TITLE = 4;
const PHRASE_IN_BODY = 2.5;
const TITLE_COVERAGE = 1;
const NEARNESS = 4;
/** Places of a passage: what stands this close together counts as together, by this share when it is not one after the other. */
const PASSAGE = 16;
const LOOSE = 0.6;
const MIN_WEIGHT = 0.1;

/**
 * The most that `together` can add to a Memory that holds words of this `share` of all the weights: never less than what its
 * phrase and its best passage add. The ranking prunes by it.
 */
export function mostTogether(
  share: number,
  found: { several: boolean; wholePhrase: boolean; inTitle: boolean },
): number {
  const phrase = found.wholePhrase ? (found.inTitle ? PHRASE_IN_TITLE : PHRASE_IN_BODY) : 0;
  return phrase + (found.several ? NEARNESS * share : 0);
}

/** Length of a body, in words, at which one mention is worth exactly BODY. */
const ORDINARY_BODY = 200;
const LONGEST_COUNTED = 2_000;

/** Mentions add up, less and less; a mention in a long text says less than in a short one. At most 1.6. */
function saturation(count: number, length: number): number {
  const lengthFactor = 0.4 + (0.6 * Math.min(length, LONGEST_COUNTED)) / ORDINARY_BODY;
  return (1.6 * count) / (count + 0.6 * lengthFactor);
}

/** What one word of the query is worth in one Memory, before its weight. */
export function worth(title: MatchCode, body: MatchCode, bodyCount: number, bodyLength: number): number {
  let value = 0;
  if (title !== 0) value += (TITLE * qualityOf(title)) / 100;
  if (body !== 0) {
    const share = title !== 0 ? BODY_BESIDE_TITLE : 1;
    value += ((BODY * qualityOf(body)) / 100) * saturation(bodyCount, bodyLength) * share;
  }
  return value;
}

/** The share of what a title is worth that a word of this weight loses: none for the rarest. A common word in a title says little beside a rare one in a body. */
const lostInTitle = (weight: number) => (TITLE_OF_COMMON / TITLE) * (1 - weight * weight);

/** What one word of the query adds to a score: its `worth` in a Memory that holds it so in its title, by its weight. */
export function weighted(value: number, title: MatchCode, weight: number): number {
  return weight * (value - (lostInTitle(weight) * TITLE * qualityOf(title)) / 100);
}

/** More than what a body adds to the worth of a word that is in the title too. */
const MOST_BESIDE_TITLE = BODY * 1.6 * BODY_BESIDE_TITLE;

/** The most that a word adds: never less than `weighted` of a `worth` up to `most`, up to `mostInBody` where it is not in the title. */
export function mostWeighted(most: number, mostInBody: number, weight: number): number {
  const lost = lostInTitle(weight);
  return weight * Math.max(mostInBody, (1 - lost) * most + lost * MOST_BESIDE_TITLE);
}

/**
 * The words of a query that a Memory must hold to hold all of them: not those of the name of its Space, which it need not repeat, unless nothing else was typed.
 */
export function wantedWords({ words }: Query): boolean[] {
  const hasOthers = words.some(({ named }) => named === 0);
  return words.map(({ named }) => named === 0 || !hasOthers);
}

/**
 * Gives the words of a query their weights: 1 for the rarest of those found, less for the others as more of the `total` Memories hold them, or
 * are in a Space of that name. A word that nothing answers weighs 1: its absence is the same for all.
 */
export function weigh(query: Query, found: readonly number[], total: number): void {
  const counts = query.words.map(({ named }, index) =>
    Math.min(total, Math.max(found[index] as number, named)),
  );
  let highest = 0;
  for (const count of counts) if (count > 0) highest = Math.max(highest, rarity(count, total));
  query.words.forEach((word, index) => {
    const count = counts[index] as number;
    word.weight = count === 0 ? 1 : Math.max(MIN_WEIGHT, rarity(count, total) / highest);
  });
}

/** How rare what `count` of `total` hold is (BM25's). */
export const rarity = (count: number, total: number): number =>
  Math.log(1 + (total - count + 0.5) / (count + 0.5));

/** The weights of all the words. */
export function totalWeight(query: Query): number {
  let total = 0;
  for (const word of query.words) total += word.weight;
  return total;
}

/** The part of a score that needs no positions: what its words are worth, the share of the title that they make, all of them there. */
export function baseScore(
  sum: number,
  total: number,
  inTitle: { count: number; length: number },
  holdsAll: boolean,
): number {
  let score = sum / total;
  if (inTitle.count > 0) score += (TITLE_COVERAGE * Math.min(inTitle.count, inTitle.length)) / inTitle.length;
  return holdsAll ? score + ALL_WORDS : score;
}

/** Scores are compared, shown and tied at three decimals. */
export const rounded = (score: number): number => Math.round(score * 1_000) / 1_000;

/** The part of a score that comes from where its words stand: the phrase, and the weight of the words that share a passage. */
export function together(
  query: Query,
  total: number,
  hits: readonly (Hit | null)[],
): { score: number; phrase: 'title' | 'body' | null } {
  const phrase = holdsPhrase(query, hits, 'title')
    ? 'title'
    : holdsPhrase(query, hits, 'body')
      ? 'body'
      : null;
  let score = phrase === 'title' ? PHRASE_IN_TITLE : phrase === 'body' ? PHRASE_IN_BODY : 0;
  const weightOf = (word: number) => (query.words[word] as Query['words'][number]).weight;
  const passage = Math.max(bestPassage(weightOf, hits, 'title'), bestPassage(weightOf, hits, 'body'));
  score += (NEARNESS * passage) / total;
  return { score, phrase };
}

/** Two words of a query that stand farther apart than this share no passage, and are neighbours in no phrase: `together` adds nothing for them. */
export function farthestTogether({ phrase }: Query): number {
  let farthest = PASSAGE - 1;
  for (let i = 1; i < phrase.length; i++)
    farthest = Math.max(farthest, (phrase[i] as Place).offset - (phrase[i - 1] as Place).offset);
  return farthest;
}

type Place = Query['phrase'][number];

const placesIn = (hit: Hit, field: 'title' | 'body') =>
  field === 'title' ? hit.titlePlaces : hit.bodyPlaces;

function holdsPhrase(query: Query, hits: readonly (Hit | null)[], field: 'title' | 'body'): boolean {
  const { phrase } = query;
  if (phrase.length < 2) return false;
  // What follows a unit stands nearer where it is in the word of its number: then only the first word says where the phrase starts.
  const hasUnit = phrase.some(({ isUnit }) => isUnit);
  let rarest: { offset: number; places: ArrayLike<number> } | null = null;
  for (const { word, offset } of phrase) {
    const hit = hits[word];
    const places = hit ? placesIn(hit, field) : null;
    if (!places || places.length === 0) return false;
    if (!rarest || (!hasUnit && places.length < rarest.places.length)) rarest = { offset, places };
  }
  const { offset: from, places } = rarest as NonNullable<typeof rarest>;
  for (let i = 0; i < places.length; i++) {
    const start = (places[i] as number) - from;
    if (startsPhrase(phrase, hits, field, start)) return true;
  }
  return false;
}

function startsPhrase(
  phrase: readonly Place[],
  hits: readonly (Hit | null)[],
  field: 'title' | 'body',
  start: number,
): boolean {
  let nearer = 0;
  for (const { word, offset, isUnit } of phrase) {
    const places = placesIn(hits[word] as Hit, field);
    const place = start + offset - nearer;
    if (holds(places, place)) continue;
    if (!isUnit || !holds(places, place - 1)) return false;
    nearer++;
  }
  return true;
}

function holds(places: ArrayLike<number>, wanted: number): boolean {
  let low = 0;
  let high = places.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const place = places[middle] as number;
    if (place === wanted) return true;
    if (place < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}

/**
 * The best passage of one field: the weight of two distinct words or more that stand within it, the more the closer they are; 0 when there
 * is none.
 */
export function bestPassage(
  weightOf: (word: number) => number,
  hits: readonly (Hit | null)[],
  field: 'title' | 'body',
): number {
  let fields = 0;
  for (let index = 0; index < hits.length; index++) {
    const hit = hits[index];
    if (!hit) continue;
    const own = placesIn(hit, field);
    if (own.length === 0) continue;
    passage.places[fields] = own;
    passage.weights[fields] = (weightOf(index) * qualityOf(hit[field])) / 100;
    passage.next[fields] = 0;
    passage.latest[fields++] = -1;
  }
  if (fields < 2) return 0;
  const { places, weights, next, latest } = passage;
  let best = 0;
  for (;;) {
    let which = -1;
    let place = Number.POSITIVE_INFINITY;
    for (let i = 0; i < fields; i++) {
      const at = next[i] as number;
      const own = places[i] as ArrayLike<number>;
      if (at < own.length && (own[at] as number) < place) {
        place = own[at] as number;
        which = i;
      }
    }
    if (which < 0) return best;
    next[which] = (next[which] as number) + 1;
    latest[which] = place;
    let sum = 0;
    let distinct = 0;
    let first = place;
    for (let i = 0; i < fields; i++) {
      const seen = latest[i] as number;
      if (seen < 0 || place - seen >= PASSAGE) continue;
      sum += weights[i] as number;
      distinct++;
      if (seen < first) first = seen;
    }
    if (distinct < 2) continue;
    const worth = sum * (LOOSE + ((1 - LOOSE) * distinct) / Math.max(distinct, place - first + 1));
    if (worth > best) best = worth;
  }
}

/** Where `bestPassage` stands, for each word that a field holds: thousands of Memories are looked at for one search. */
const passage = {
  places: [] as ArrayLike<number>[],
  weights: new Float64Array(MAX_QUERY_WORDS),
  next: new Int32Array(MAX_QUERY_WORDS),
  latest: new Int32Array(MAX_QUERY_WORDS),
};

/** The reasons of a score. */
export function explain(
  query: Query,
  hits: readonly (Hit | null)[],
  phrase: Explanation['exactPhrase'],
): Explanation {
  const words = query.words.map((word, index) => ({ word, hit: hits[index] ?? null }));
  const wanted = wantedWords(query);
  return {
    inTitle: words.some(({ hit }) => hit !== null && hit.title !== 0),
    inBody: words.some(({ hit }) => hit !== null && hit.body !== 0),
    exactPhrase: phrase,
    allWords: words.every(
      ({ hit }, index) => !wanted[index] || (hit !== null && (isPresent(hit.title) || isPresent(hit.body))),
    ),
    words: words.map(({ word, hit }) => ({
      word: word.text,
      title: kindOf(hit?.title ?? 0),
      body: kindOf(hit?.body ?? 0),
    })),
  };
}
