import { BY_TITLE } from '../search/evidence.ts';
import { foldWords } from '../search/matching/fold.ts';
import { isFunctionWord } from '../search/matching/function-words.ts';
import type { Match } from '../search/rank-memories.ts';
import type { ContextPacker } from './packer.ts';
import type { Answers } from './passages.ts';

/** The fraction of its value that a sentence keeps when it only repeats what is shown already. */
const SAID_ALREADY = 0.4;
/** Candidates below this fraction of the best value are not shown: the text around the best sentences gets their room. */
const MIN_PART = 0.3;
/** Upper bound on sorted candidates; no text has room for so many. */
const MAX_CANDIDATES = 2_000;
/** Characters of a candidate that are compared with what is shown already. */
const LONGEST_SAID = 1_000;
/** Upper bound, over all Memories together, on the characters that one question cuts into sentences. */
export const MAX_CHARS = 2 ** 20;
/** Memories examined per character of the budget. */
const MEMORIES_PER_CHAR = 1 / 40;
const MIN_MEMORIES = 24;

/** How many of the best-ranked Memories are examined for a text of `maxChars` characters: 24 to 512. */
export const memoriesLookedInto = (maxChars: number): number =>
  Math.min(512, Math.max(MIN_MEMORIES, Math.ceil(maxChars * MEMORIES_PER_CHAR)));

const WHOLE = -1;
const BEGINNING = -2;

/**
 * Something that may be shown: a sentence of a long Memory, a whole short Memory, or the beginning of a Memory that matches by its title only.
 * `value` is what it would add to the text, as last computed: at most `base`, decreasing as more is shown.
 */
type Candidate = {
  at: number;
  rank: number;
  unit: number;
  base: number;
  value: number;
  says: readonly string[] | null;
};

/**
 * Puts the most valuable candidates of all Memories into the text, best first, until the text is full or the remaining ones are worth little.
 * Short Memories are shown whole, long ones sentence by sentence. A candidate loses value when it repeats what is shown already.
 */
export async function showBest(
  packer: ContextPacker,
  ranked: readonly number[],
  answers: Answers,
  rest: () => Promise<void> | undefined,
): Promise<void> {
  const waiting = await findCandidates(packer, ranked, answers, rest);
  const least = MIN_PART * (waiting[0]?.base ?? 0);
  const said = new Set<string>();
  for (let best = waiting.shift(); best && !packer.isFull(); best = waiting.shift()) {
    if (best.base < least) continue;
    await rest();
    best.says ??= wordsSaid(packer, best, answers);
    best.value = best.base * (SAID_ALREADY + (1 - SAID_ALREADY) * shareOfNew(best.says, said));
    const [next] = waiting;
    if (next && isBefore(next, best)) {
      // Its value has dropped since it was sorted: back into the queue.
      waiting.splice(placeOf(waiting, best), 0, best);
      continue;
    }
    if (show(packer, best)) for (const word of best.says) said.add(word);
  }
}

function show(packer: ContextPacker, { at, unit }: Candidate): boolean {
  if (unit === WHOLE) return packer.showWhole(at);
  return unit === BEGINNING ? packer.showBeginning(at) : packer.showSentence(at, unit);
}

async function findCandidates(
  packer: ContextPacker,
  ranked: readonly number[],
  answers: Answers,
  rest: () => Promise<void> | undefined,
): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  let chars = 0;
  for (const [rank, at] of ranked.entries()) {
    const { title, body } = packer.row(at);
    const inTitle = bestByWord(answers.matchesOf(title));
    const add = (unit: number, value: number, words: number) => {
      const base = value + BY_TITLE * sumOf(inTitle, words);
      candidates.push({ at, rank, unit, base, value: base, says: null });
    };
    const { units } = packer.passages(at);
    const best = units.reduce<(typeof units)[number] | null>(
      (one, unit) => (unit.value > (one?.value ?? 0) ? unit : one),
      null,
    );
    if (!packer.isLong(at)) add(WHOLE, best?.value ?? 0, best?.words ?? 0);
    else if (!best) add(BEGINNING, 0, 0);
    else for (const [unit, { value, words }] of units.entries()) if (value > 0) add(unit, value, words);
    chars += body.length;
    if (chars > MAX_CHARS) break;
    await rest();
  }
  return candidates.sort((a, b) => (isBefore(a, b) ? -1 : 1)).slice(0, MAX_CANDIDATES);
}

function isBefore(a: Candidate, b: Candidate): boolean {
  if (a.value !== b.value) return a.value > b.value;
  return a.rank !== b.rank ? a.rank < b.rank : a.unit < b.unit;
}

/** The index at which to insert a candidate into a sorted list. */
function placeOf(sorted: readonly Candidate[], one: Candidate): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(sorted[middle] as Candidate, one)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function bestByWord(matches: readonly Match[]): Map<number, number> {
  const best = new Map<number, number>();
  for (const { word, weight } of matches) best.set(word, Math.max(best.get(word) ?? 0, weight));
  return best;
}

/** The total weight of the title's matches, without the words (a bit mask) that the sentence matches itself. */
function sumOf(best: ReadonlyMap<number, number>, words: number): number {
  let sum = 0;
  for (const [word, weight] of best) if ((words & (1 << word)) === 0) sum += weight;
  return sum;
}

/** The content words of a candidate: without function words and the words of the question. */
function wordsSaid(packer: ContextPacker, { at, unit }: Candidate, answers: Answers): string[] {
  const { body } = packer.row(at);
  const range = unit < 0 ? null : packer.passages(at).units[unit];
  const text = range ? body.slice(range.start, range.end) : body.slice(0, LONGEST_SAID);
  const asked = answers.matchesOf(text);
  const words = new Set<string>();
  for (const { text: word, start, end } of foldWords(text))
    if (word.length > 2 && !isFunctionWord(word) && !asked.some((one) => one.start < end && start < one.end))
      words.add(word);
  return [...words];
}

function shareOfNew(words: readonly string[], said: ReadonlySet<string>): number {
  if (words.length === 0) return 1;
  return words.filter((word) => !said.has(word)).length / words.length;
}
