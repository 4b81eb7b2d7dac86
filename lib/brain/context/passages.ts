import { sentenceEnds } from '../search/matching/sentences.ts';
import type { Match } from '../search/rank-memories.ts';
import { cutAt, ELLIPSIS, LEFT_OFF, leftOff, partsWords } from '../text/cut.ts';
import { QUOTE_START, quotedLength } from './quote.ts';

/** The Memories that answer a question, best first, and the matches of its words in a text. */
export type Answers = {
  ranked: readonly { memoryId: string }[];
  matchesOf(text: string): readonly Match[];
};

/**
 * A sentence, or a piece of a very long one: characters `start` to `end`, the following unit beginning at `next`. A heading, or a word or two that
 * open a paragraph (« Louer. »), belong to the sentence after them.
 */
type Unit = {
  start: number;
  end: number;
  next: number;
  /** The sum, over the words of the question, of the weight of the best match. */
  value: number;
  /** The words of the question that it contains, one bit each. */
  words: number;
};

/** A text shorter than this cannot be understood on its own. */
const MIN_SAID_CHARS = 24;
/** Longer sentences are cut into pieces of this many characters. */
const LONGEST_UNIT = 400;
/** Characters shown before the first match when its sentence does not fit whole. */
const LEAD = 60;
/** The number of sentences by which a passage grows on each side. Room left after that goes to the beginning of the text. */
const REACH = 6;
/** The most that a separate passage costs beyond its own text, as quoted. */
const BREAK_COST = LEFT_OFF + QUOTE_START.length;

const SPACE = /\s/;
const HEADING = /^#{1,6} /;
/** The start of a line is searched for within this many characters of indentation. */
const MAX_INDENT_CHARS = 16;

/** A text, the sentences chosen to be shown, and the length that they take. */
export class Passages {
  readonly units: readonly Unit[];
  readonly #body: string;
  readonly #matches: readonly Match[];
  readonly #chosen: Uint8Array;
  /** Upper bound on the quoted length; it begins with the first ellipsis and the line break that starts the quotation. */
  #length = QUOTE_START.length + ELLIPSIS.length;

  constructor(body: string, matches: readonly Match[]) {
    this.#body = body;
    this.#matches = matches;
    this.units = valuedUnits(body, matches);
    this.#chosen = new Uint8Array(this.units.length);
  }

  /** Chooses one more sentence if the quoted text then still fits in `budget`; tells whether it did. */
  take(at: number, budget: number): boolean {
    const unit = this.units[at];
    if (!unit || this.#chosen[at] === 1) return false;
    const isApart = this.#chosen[at - 1] !== 1 && this.#chosen[at + 1] !== 1;
    const cost = costOf(this.#body, unit) + (isApart ? BREAK_COST : 0);
    if (this.#length + cost > budget) return false;
    this.#chosen[at] = 1;
    this.#length += cost;
    return true;
  }

  /** Fills `budget` with the most valuable sentences, then those around them, then the text from its beginning. */
  fill(budget: number): void {
    for (const at of this.#best()) this.take(at, budget);
    const taken = this.#best().filter((at) => this.#chosen[at] === 1);
    for (let reach = 1; reach <= REACH; reach++) {
      for (const at of taken) {
        // What follows an answer explains it more often than what precedes it.
        if (this.#isReached(at, at + reach)) this.take(at + reach, budget);
        if (this.#isReached(at, at - reach)) this.take(at - reach, budget);
      }
    }
    if (taken.length === 0) return;
    for (let at = 0; at < this.units.length && budget - this.#length > BREAK_COST; at++)
      if (!this.#isStump(at)) this.take(at, budget);
  }

  /** The chosen sentences in the order of the text, with `…` where something is left out. Empty when none is chosen. */
  text(): string {
    return this.#chosen.includes(1) ? joined(this.#body, this.units, this.#chosen) : '';
  }

  /** A part of the best sentence, from a little before its first match, for when no sentence fits in `budget`. */
  piece(budget: number): string {
    const best = this.units[this.#best()[0] as number];
    const first = best && this.#matches.find(({ start }) => start >= best.start);
    return first ? aroundMatch(this.#body, first.start, budget) : '';
  }

  /** The sentences that match the question, best first. */
  #best(): number[] {
    const value = (at: number) => (this.units[at] as Unit).value;
    return this.units
      .map((_, at) => at)
      .filter((at) => value(at) > 0)
      .sort((a, b) => value(b) - value(a) || a - b);
  }

  /** Whether the sentence, shown without its neighbours, would be too short to be understood. */
  #isStump(at: number): boolean {
    const { start, end } = this.units[at] as Unit;
    return end - start < MIN_SAID_CHARS && this.#chosen[at - 1] !== 1 && this.#chosen[at + 1] !== 1 && at > 0;
  }

  /** Whether every sentence from `from` up to, not including, `to` is chosen: a passage grows without holes. */
  #isReached(from: number, to: number): boolean {
    const step = Math.sign(to - from);
    for (let at = from; at !== to; at += step) if (this.#chosen[at] !== 1) return false;
    return true;
  }
}

function costOf(body: string, { start, next }: Unit): number {
  return quotedLength(body.slice(start, next)) - QUOTE_START.length;
}

function joined(body: string, units: readonly Unit[], chosen: Uint8Array): string {
  let text = '';
  for (let at = 0; at < units.length; at++) {
    if (chosen[at] !== 1) continue;
    let last = at;
    while (chosen[last + 1] === 1) last++;
    const { start } = units[at] as Unit;
    const { end } = units[last] as Unit;
    // Between two passages: an ellipsis, and a line of its own for the next one.
    if (text !== '') text = `${leftOff(text)}\n`;
    else if (start > firstVisible(body)) text = ELLIPSIS;
    text += body.slice(start, end);
    at = last;
  }
  const { end } = units[chosen.lastIndexOf(1)] as Unit;
  return body.slice(end).trim() === '' ? text : leftOff(text);
}

/** A part of a sentence that does not fit in the budget, from a little before its first match. */
function aroundMatch(body: string, match: number, budget: number): string {
  let start = Math.max(0, match - Math.min(LEAD, budget >> 2));
  while (start > 0 && start < match && !partsWords(body, start - 1)) start++;
  while (start < match && SPACE.test(body[start] as string)) start++;
  const rest = body.slice(start);
  const marks = ELLIPSIS.length + LEFT_OFF;
  let length = budget - QUOTE_START.length - marks;
  // A line break counts for three once quoted.
  while (length > 0 && quotedLength(rest.slice(0, length)) > budget - marks)
    length -= quotedLength(rest.slice(0, length)) - (budget - marks);
  const { at } = cutAt(rest, Math.max(0, length));
  if (at === 0) return '';
  const shown = rest.slice(0, at);
  return (start > 0 ? ELLIPSIS : '') + (at < rest.length ? leftOff(shown) : shown);
}

function firstVisible(text: string): number {
  return text.length - text.trimStart().length;
}

/** The sentences of a text, each with the value of its matches. */
function valuedUnits(body: string, matches: readonly Match[]): Unit[] {
  const units = unitsOf(body);
  let at = 0;
  let weights = new Map<number, number>();
  for (const { word, start, weight } of matches) {
    while (at < units.length - 1 && start >= (units[at] as Unit).next) {
      at++;
      weights = new Map();
    }
    const unit = units[at];
    if (!unit) break;
    const known = weights.get(word) ?? 0;
    if (weight <= known) continue;
    unit.value += weight - known;
    unit.words |= 1 << word;
    weights.set(word, weight);
  }
  return units;
}

/** Whether a unit is only an opening of the next one: a heading, or a word or two before the sentences of their paragraph. */
function isOpening(body: string, start: number, end: number): boolean {
  if (end - start >= LONGEST_UNIT) return false;
  const lines = body.slice(start, end).trimEnd().split('\n');
  const last = lines.at(-1) as string;
  if (HEADING.test(last)) return true;
  if (
    last.length >= MIN_SAID_CHARS ||
    (lines.length === 1 && !/(^|\n)\s*$/.test(body.slice(Math.max(0, start - MAX_INDENT_CHARS), start)))
  )
    return false;
  return /^[^\S\r\n]+\S/.test(body.slice(end, end + MAX_INDENT_CHARS));
}

function unitsOf(body: string): Unit[] {
  const units: Unit[] = [];
  let start = firstVisible(body);
  const close = (end: number) => {
    while (end - start > LONGEST_UNIT) {
      const { at } = cutAt(body.slice(start, end), LONGEST_UNIT);
      if (at === 0) break;
      push(start + at);
    }
    push(end);
  };
  const push = (limit: number) => {
    let end = limit;
    while (end > start && SPACE.test(body[end - 1] as string)) end--;
    let next = end;
    while (next < body.length && SPACE.test(body[next] as string)) next++;
    if (end > start) units.push({ start, end, next, value: 0, words: 0 });
    start = Math.max(start, next);
  };
  for (const end of sentenceEnds(body)) if (end > start && !isOpening(body, start, end)) close(end);
  if (start < body.length) close(body.trimEnd().length);
  return units;
}
