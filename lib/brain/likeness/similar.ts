import { inSlices, Pace } from '../search/matching/pace.ts';
import { contained, pairing, type Sketch, shared, sketchOf } from './sketch.ts';
import { type Likeness, MIN_SIMILARITY } from './statements.ts';

/** A Memory that says nearly the same. */
export type Similar = {
  id: string;
  spaceId: string;
  title: string;
  /** Share of their pairs of words that both hold, in hundredths, rounded down: 1 is the same words in the same order. */
  similarity: number;
};

/** The most that are named. */
const MAX_SIMILAR = 3;

/** What a text is compared with others by. */
export type Comparison = { pairs: Uint32Array; sketch: Sketch };

/** Prepares a text of an account to be compared with its Memories. Bounded by the longest legal text: some ten milliseconds, in slices. */
export async function prepareComparison(
  accountId: string,
  text: { title: string; body: string },
): Promise<Comparison> {
  const pace = new Pace();
  const pairs = await inSlices(pairing(text.title, text.body), pace);
  return { pairs, sketch: await sketchOf(accountId, pairs, pace) };
}

/** The bands that a new sketch keeps: those that are not shared by many already. */
export function sketchParams({ pairs, bands }: Sketch, { crowded }: Likeness) {
  return { sketchPairs: pairs, sketchBands: bands.filter((band) => !crowded.includes(band)) };
}

/** The candidates that share bands whose own texts are similar enough, the most alike first; with `before`, only those that are older. */
export async function confirmSimilar(
  { pairs }: Comparison,
  { candidates }: Likeness,
  before: string | null = null,
): Promise<Similar[]> {
  const found: Similar[] = [];
  const pace = new Pace();
  for (const { id, spaceId, title, body } of candidates) {
    if (before !== null && id >= before) continue;
    const others = await inSlices(pairing(title, body), pace);
    const similarity = Math.floor(shared(pairs, others) * 100) / 100;
    if (similarity >= MIN_SIMILARITY) found.push({ id, spaceId, title, similarity });
    if (pace.due()) await pace.rest();
  }
  return mostSimilar(found);
}

/** Two texts of one subject share more than this of their pairs; what two others share are words that every text has. */
const UNLIKE_BELOW = 0.05;
/** A text that grew twentyfold, or of which a paragraph stayed, is mostly in the other; of another subject less than this is. */
const CONTAINED_FROM = 1 / 3;
/** A shorter text is changed whole in a few words. */
const MIN_PAIRS = 12;

/** Whether two texts say something else altogether, however long each is; two short ones do where their titles differ as well. */
export async function isUnlike(
  one: { title: string; body: string },
  other: { title: string; body: string },
): Promise<boolean> {
  const pace = new Pace();
  const left = await inSlices(pairing(one.title, one.body), pace);
  const right = await inSlices(pairing(other.title, other.body), pace);
  if (shared(left, right) >= UNLIKE_BELOW || contained(left, right) >= CONTAINED_FROM) return false;
  return one.title !== other.title || Math.min(left.length, right.length) >= MIN_PAIRS;
}

/** Each Memory once, the most alike first, few. */
export function mostSimilar(found: readonly Similar[]): Similar[] {
  const once = new Map<string, Similar>();
  for (const one of [...found].sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1)))
    if (!once.has(one.id)) once.set(one.id, one);
  return [...once.values()].slice(0, MAX_SIMILAR);
}
