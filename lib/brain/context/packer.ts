import { pillarPresentation } from '../templates.ts';
import { cutAt, LEFT_OFF, leftOff } from '../text/cut.ts';
import type { TreeNode } from '../tree.ts';
import { type CutBody, shownLength } from './bodies.ts';
import { pillarHeading, titlePrefixLength, titleText } from './layout.ts';
import { type Answers, Passages } from './passages.ts';
import { fittingIndex, quotedLength } from './quote.ts';
import type { ContextRow } from './types.ts';

/** A body is long, and shown by its passages, when it takes more than this fraction of the budget and more than `MIN_LONG_CHARS`. */
const LONG_PART = 1 / 8;
const MIN_LONG_CHARS = 500;
/** Characters shown at first of a long Memory that matches by its title only. */
const BEGINNING = 300;
/** A title is not shown with less text than this. */
const MIN_TEXT_CHARS = 24;

const NOTHING: CutBody = { text: '', truncated: true, cut: null };

/** Packs Memories into the budget of a text. Each addition counts its own length and that of the ancestors' titles it needs. */
export class ContextPacker {
  /** By index in the nodes; absent: the Memory is left out. */
  readonly bodies: (CutBody | undefined)[];
  readonly #template: Parameters<typeof pillarPresentation>[0];
  readonly #answers: Answers;
  readonly #nodes: readonly TreeNode<ContextRow>[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #budget: number;
  readonly #headed = new Set<string>();
  readonly #passages = new Map<number, Passages>();
  #left: number;

  constructor(input: {
    template: Parameters<typeof pillarPresentation>[0];
    answers: Answers;
    nodes: readonly TreeNode<ContextRow>[];
    /** Index of each Memory in the nodes. */
    places: ReadonlyMap<string, number>;
    budget: number;
  }) {
    this.#template = input.template;
    this.#answers = input.answers;
    this.#nodes = input.nodes;
    this.#places = input.places;
    this.#budget = input.budget;
    this.#left = input.budget;
    this.bodies = input.nodes.map(() => undefined);
  }

  /** Whether there is no room left even for the shortest useful Memory. */
  isFull(): boolean {
    return this.#left < quotedLength('') + MIN_TEXT_CHARS;
  }

  /** Whether there is room for a Memory's title and a little of its text. */
  hasPlaceFor(at: number): boolean {
    return this.#budgetFor(at) >= quotedLength('') + MIN_TEXT_CHARS;
  }

  isShown(at: number): boolean {
    return (this.bodies[at]?.text ?? '') !== '';
  }

  row(at: number): ContextRow {
    return this.#node(at).row;
  }

  /** Whether a Memory is shown by its passages rather than whole. */
  isLong(at: number): boolean {
    return quotedLength(this.row(at).body) > Math.max(MIN_LONG_CHARS, this.#budget * LONG_PART);
  }

  passages(at: number): Passages {
    let passages = this.#passages.get(at);
    if (!passages) {
      const { body } = this.row(at);
      passages = new Passages(body, this.#answers.matchesOf(body));
      this.#passages.set(at, passages);
    }
    return passages;
  }

  /** Shows the whole body of a Memory; like the other `show` methods, returns false, and shows nothing, when there is no room. */
  showWhole(at: number): boolean {
    const { row } = this.#node(at);
    if (quotedLength(row.body) > this.#budgetFor(at)) return false;
    this.#put(at, wholeBody(row));
    return true;
  }

  showSentence(at: number, unit: number): boolean {
    const passages = this.passages(at);
    if (!passages.take(unit, this.#budgetFor(at))) return false;
    this.#put(at, partOf(passages.text()));
    return true;
  }

  showBeginning(at: number): boolean {
    const { body } = this.row(at);
    const shown = beginning(body, Math.min(BEGINNING, this.#budgetFor(at)));
    if (shown.length < Math.min(MIN_TEXT_CHARS, body.length)) return false;
    this.#put(at, partOf(shown));
    return true;
  }

  /** Shows a piece of the best sentence, for when no whole sentence fits. */
  showPiece(at: number): boolean {
    const shown = this.passages(at).piece(this.#budgetFor(at));
    if (shown.length < MIN_TEXT_CHARS) return false;
    this.#put(at, partOf(shown));
    return true;
  }

  /** Extends a Memory that is shown in part with the room that is left. */
  grow(at: number): void {
    const before = this.bodies[at];
    if (!before?.truncated || before.text === '') return;
    const { body } = this.row(at);
    if (this.showWhole(at)) return;
    const budget = this.#budgetFor(at);
    const passages = this.passages(at);
    passages.fill(budget);
    const after = partOf(passages.text() || beginning(body, budget));
    if (shownLength(after) > shownLength(before)) this.#put(at, after);
  }

  /** Adds another Memory: whole, or as much of it as fits. */
  fill(at: number): void {
    if (this.isShown(at)) return;
    const { body } = this.row(at);
    if (this.#budgetFor(at) < 0 || this.showWhole(at)) return;
    const shown = beginning(body, this.#budgetFor(at));
    if (shown.length > MIN_TEXT_CHARS) this.#put(at, partOf(shown));
  }

  #node(at: number): TreeNode<ContextRow> {
    return this.#nodes[at] as TreeNode<ContextRow>;
  }

  /** The length that a Memory's body may take, including what is shown of it already. */
  #budgetFor(at: number): number {
    const before = this.bodies[at];
    return this.#left - this.#titlesCost(at) + (before ? shownLength(before) : 0);
  }

  /** The length of a Memory's title line, its ancestors' title lines and its pillar's heading, counting only those not shown yet. */
  #titlesCost(at: number): number {
    if (this.bodies[at]) return 0;
    const { row } = this.#node(at);
    let cost = 0;
    if (!this.#headed.has(row.role))
      cost += pillarHeading(pillarPresentation(this.#template, row.role).label).length;
    for (const above of this.#missingAbove(at)) {
      const node = this.#node(above);
      cost += titlePrefixLength(node.depth) + titleText(node.row.title).length;
    }
    return cost;
  }

  /** The Memory and its ancestors that are not in the text yet. */
  #missingAbove(at: number): number[] {
    const missing: number[] = [];
    for (let place: number | undefined = at; place !== undefined && !this.bodies[place]; ) {
      missing.push(place);
      const { parentId } = this.#node(place);
      place = parentId === null ? undefined : this.#places.get(parentId);
    }
    return missing;
  }

  #put(at: number, body: CutBody): void {
    this.#left -= this.#titlesCost(at);
    for (const above of this.#missingAbove(at)) this.bodies[above] = emptyBody(this.#node(above).row);
    this.#headed.add(this.#node(at).row.role);
    this.#left -= shownLength(body) - shownLength(this.bodies[at] as CutBody);
    this.bodies[at] = body;
  }
}

function wholeBody(row: ContextRow): CutBody {
  return { text: row.body, truncated: false, cut: null };
}

function emptyBody(row: ContextRow): CutBody {
  return row.body === '' ? wholeBody(row) : NOTHING;
}

const partOf = (text: string): CutBody => ({ text, truncated: true, cut: null });

function beginning(body: string, budget: number): string {
  const { at } = cutAt(body, fittingIndex(body, budget - LEFT_OFF));
  return at === 0 ? '' : leftOff(body.slice(0, at));
}
