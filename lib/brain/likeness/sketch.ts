import { scanningWords } from '../search/matching/fold.ts';
import { Pace, type Steps } from '../search/matching/pace.ts';
import { MAX_LENGTH } from '../search/matching/terms.ts';

/** What is kept of a text to find those that repeat it. */
export type Sketch = {
  /** How many different pairs of neighbouring words it holds. */
  pairs: number;
  /** Two texts that share `s` of their pairs hold a same band with a chance of 1 − (1 − s³)²¹: 0.99 at 0.6. */
  bands: number[];
};

const BANDS = 21;
const HASHES_A_BAND = 3;
/** Pairs hashed between two looks at the clock. */
const SLICE = 1_024;

function mix(value: number): number {
  let hash = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

const SEEDS = Uint32Array.from({ length: BANDS * HASHES_A_BAND }, (_, i) => mix((i + 1) * 0x9e3779b1));

/**
 * The pairs of neighbouring words of a Memory, as search folds them (no accent, no case, no punctuation), each as one number, ascending, each once.
 * The title is read before the body as one text, so that a heading may stand in either. A text of one word is one pair; one without any has none. In steps.
 */
export function* pairing(title: string, body: string): Steps<Uint32Array> {
  let all = new Uint32Array(1_024);
  let words = 0;
  let before = 0;
  const read = (text: string) =>
    scanningWords(text, ({ codes, length }) => {
      let word = 0x811c9dc5;
      for (let i = 0; i < length; i++) word = Math.imul(word ^ (codes[i] as number), 0x01000193);
      if (words > all.length) {
        const larger = new Uint32Array(all.length * 2);
        larger.set(all);
        all = larger;
      }
      if (words > 0) all[words - 1] = mix(Math.imul(before, 0x9e3779b1) ^ mix(word));
      before = word;
      words += 1;
      return words < MAX_LENGTH;
    });
  yield* read(title);
  if (words < MAX_LENGTH) yield* read(body);
  if (words === 1) return Uint32Array.of(mix(before));
  yield;
  const sorted = all.subarray(0, Math.max(0, words - 1)).sort();
  yield;
  let kept = 0;
  for (let i = 0; i < sorted.length; i++)
    if (i === 0 || sorted[i] !== sorted[i - 1]) sorted[kept++] = sorted[i] as number;
  return sorted.subarray(0, kept);
}

/** Of two texts, by their pairs: how many they share of all that either holds; 0 when one holds none. */
export function shared(left: Uint32Array, right: Uint32Array): number {
  const both = inBoth(left, right);
  return both === 0 ? 0 : both / (left.length + right.length - both);
}

/** Of the shorter of two texts, by its pairs: how many of them the longer holds; 0 when one holds none. */
export function contained(left: Uint32Array, right: Uint32Array): number {
  const both = inBoth(left, right);
  return both === 0 ? 0 : both / Math.min(left.length, right.length);
}

function inBoth(left: Uint32Array, right: Uint32Array): number {
  let both = 0;
  for (let l = 0, r = 0; l < left.length && r < right.length; ) {
    const a = left[l] as number;
    const b = right[r] as number;
    if (a === b) both += 1;
    if (a <= b) l += 1;
    if (b <= a) r += 1;
  }
  return both;
}

/**
 * The sketch of a text by its pairs, the same for the same text of the same account, and unlike that of any other account: what one account writes costs
 * no other a look, and tells it nothing. Other work gets its turn in between.
 */
export async function sketchOf(accountId: string, pairs: Uint32Array, pace = new Pace()): Promise<Sketch> {
  if (pairs.length === 0) return { pairs: 0, bands: [] };
  const least = new Uint32Array(SEEDS.length).fill(0xffffffff);
  for (let from = 0; from < pairs.length; from += SLICE) {
    for (let i = from; i < pairs.length && i < from + SLICE; i++) {
      const pair = pairs[i] as number;
      for (let k = 0; k < SEEDS.length; k++) {
        let hash = Math.imul(pair ^ (SEEDS[k] as number), 0x85ebca6b);
        hash = Math.imul(hash ^ (hash >>> 15), 0xc2b2ae35) >>> 0;
        if (hash < (least[k] as number)) least[k] = hash;
      }
    }
    if (pace.due()) await pace.rest();
  }
  let salt = 0x811c9dc5;
  for (let i = 0; i < accountId.length; i++) salt = Math.imul(salt ^ accountId.charCodeAt(i), 0x01000193);
  const bands = Array.from({ length: BANDS }, (_, band) => {
    let hash = mix(salt ^ mix(band + 1));
    for (let k = 0; k < HASHES_A_BAND; k++) hash = mix(hash ^ (least[band * HASHES_A_BAND + k] as number));
    return hash | 0;
  });
  return { pairs: pairs.length, bands };
}
