import { pillarPresentation } from '../templates.ts';
import { cutAt, ELLIPSIS } from '../text/cut.ts';
import type { TreeNode } from '../tree.ts';
import { assembleContext, clampMaxChars, explainContext } from './assemble.ts';
import type { CutBody } from './bodies.ts';
import {
  omissionNote,
  pillarHeading,
  prefaceFor,
  spaceHeading,
  titlePrefixLength,
  titleText,
} from './layout.ts';
import { type Match, passagesOf } from './passages.ts';
import { fittingIndex, quotedLength } from './quote.ts';
import { askedRoles, type Range, readingOrder, render } from './render.ts';
import type { ContextExplanation, ContextInput, ContextPayload, ContextRow } from './types.ts';

/** What answers the question, best first, and where in a text. */
export type Answers = {
  ranked: readonly { memoryId: string }[];
  matchesOf(body: string): readonly Match[];
};

export type FocusInput = ContextInput & {
  answers: Answers;
  /** Called between two Memories: others may run. */
  rest?: () => Promise<void> | undefined;
};

/** A body that would take more than this part of the budget is long: it gives its passages first, and the rest if there is room. */
const LONG_PART = 1 / 2;
/** What a long body takes at first of the room that is left, and at least: little, so that many answers have a say. */
const PASSAGES_PART = 1 / 20;
const LEAST_PASSAGES = 300;
/** Less text than this under a title says nothing. */
const LEAST_TEXT = 24;

const NOTHING: CutBody = { text: '', truncated: true, cut: null };

/**
 * A Space as one text about a question: the same payload, order and limit as `assembleContext`, but the room goes to the Memories that answer, best first and whole
 * where they fit, long ones by the passages around their matches; the titles above them say where they stand. What room is left goes to further
 * Memories. Nothing answers: the plain context. The same to the byte for the same rows and answers.
 */
export async function focusContext(input: FocusInput): Promise<ContextPayload> {
  const built = await select(input);
  return built ? built.payload : assembleContext(input);
}

/** The same payload, and what became of each Memory, omitted ones included. */
export async function explainFocus(
  input: FocusInput,
): Promise<{ payload: ContextPayload; memories: ContextExplanation[]; focused: boolean }> {
  const built = await select(input);
  if (!built) return { ...explainContext(input), focused: false };
  const { payload, nodes, bodies, ranges } = built;
  const memories = nodes.map(({ row }, at): ContextExplanation => {
    const body = bodies[at];
    const range = ranges.get(at) ?? null;
    return {
      id: row.id,
      role: row.role,
      title: row.title,
      inclusion: !body ? 'omitted' : !body.truncated ? 'whole' : body.text === '' ? 'title-only' : 'passages',
      range,
      share: range ? (range.end - range.start) / payload.maxChars : 0,
      bodyLength: row.body.length,
      cut: null,
    };
  });
  return { payload, memories, focused: true };
}

type Built = {
  payload: ContextPayload;
  nodes: TreeNode<ContextRow>[];
  /** By index in `nodes`; absent: the Memory is left out. */
  bodies: (CutBody | undefined)[];
  ranges: Map<number, Range>;
};

async function select(input: FocusInput): Promise<Built | null> {
  const { space, answers } = input;
  const maxChars = clampMaxChars(input.maxChars);
  const roles = askedRoles(input.pillars);
  const order = readingOrder(roles, input.memories);
  const nodes = [...order.nodes()];
  const places = new Map(nodes.map(({ row }, at) => [row.id, at]));
  const ranked = answers.ranked.flatMap(({ memoryId }) => places.get(memoryId) ?? []);
  if (ranked.length === 0) return null;

  const heading = spaceHeading(space.name, maxChars) + prefaceFor(maxChars);
  const room = new Room(input, nodes, places, maxChars - heading.length - omissionNote(order.total).length);
  for (const at of ranked) {
    if (room.isFull()) break;
    room.answer(at);
    await input.rest?.();
  }
  for (const at of ranked) {
    if (room.isFull()) break;
    room.grow(at);
    await input.rest?.();
  }
  for (let at = 0; at < nodes.length && !room.isFull(); at++) room.fill(at);

  const { bodies } = room;
  const shown = nodes.flatMap((node, at) => (bodies[at] ? [{ node, body: bodies[at] }] : []));
  if (shown.length === 0) return null;
  const { payload, ranges } = render({
    space,
    roles,
    heading,
    notes: false,
    shown,
    total: order.total,
    maxChars,
  });
  const indexes = nodes.flatMap((_, at) => (bodies[at] ? [at] : []));
  return { payload, nodes, bodies, ranges: new Map(ranges.map((range, i) => [indexes[i] as number, range])) };
}

/** The room of a text, and what is put in it. */
class Room {
  readonly bodies: (CutBody | undefined)[];
  readonly #input: FocusInput;
  readonly #nodes: readonly TreeNode<ContextRow>[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #budget: number;
  readonly #headed = new Set<string>();
  readonly #matches = new Map<number, readonly Match[]>();
  #left: number;

  constructor(
    input: FocusInput,
    nodes: readonly TreeNode<ContextRow>[],
    places: ReadonlyMap<string, number>,
    budget: number,
  ) {
    this.#input = input;
    this.#nodes = nodes;
    this.#places = places;
    this.#budget = budget;
    this.#left = budget;
    this.bodies = nodes.map(() => undefined);
  }

  /** Whether not even the shortest Memory could still say anything. */
  isFull(): boolean {
    return this.#left < quotedLength('') + LEAST_TEXT;
  }

  /** Puts in a Memory that answers: whole, or the passages of a long one. */
  answer(at: number): void {
    const { row } = this.#node(at);
    const room = this.#left - this.#titlesCost(at);
    const whole = quotedLength(row.body);
    if (room < 0) return;
    if (whole <= room && whole <= this.#budget * LONG_PART) {
      this.#put(at, wholeBody(row));
      return;
    }
    const most = Math.min(room, Math.max(LEAST_PASSAGES, Math.floor(room * PASSAGES_PART)));
    const body = this.#passages(at, most);
    if (body) this.#put(at, body);
  }

  /** Gives what is left to an answer that is not whole. */
  grow(at: number): void {
    const before = this.bodies[at];
    if (!before?.truncated) return;
    const { row } = this.#node(at);
    const room = this.#left + shownLength(before);
    const after = quotedLength(row.body) <= room ? wholeBody(row) : this.#passages(at, room);
    if (after && shownLength(after) > shownLength(before)) this.#put(at, after);
  }

  /** Puts in a further Memory: whole, or as much of it as there is room for. */
  fill(at: number): void {
    const before = this.bodies[at];
    if (before && before.text !== '') return;
    const { row } = this.#node(at);
    const room = this.#left - this.#titlesCost(at);
    if (room < 0) return;
    if (quotedLength(row.body) <= room) {
      this.#put(at, wholeBody(row));
      return;
    }
    const index = fittingIndex(row.body, room - ELLIPSIS.length);
    const cut = cutAt(row.body, index);
    if (cut.at >= LEAST_TEXT)
      this.#put(at, { text: row.body.slice(0, cut.at) + ELLIPSIS, truncated: true, cut: null });
  }

  #node(at: number): TreeNode<ContextRow> {
    return this.#nodes[at] as TreeNode<ContextRow>;
  }

  #passages(at: number, room: number): CutBody | null {
    const { row } = this.#node(at);
    let matches = this.#matches.get(at);
    if (!matches) {
      matches = this.#input.answers.matchesOf(row.body);
      this.#matches.set(at, matches);
    }
    const text = passagesOf(row.body, matches, room);
    // A Memory that answers by its title alone begins where it begins.
    const shown = text === '' ? beginning(row.body, room) : text;
    return shown.length < Math.min(LEAST_TEXT, row.body.length)
      ? null
      : { text: shown, truncated: true, cut: null };
  }

  /** What the title of a Memory takes with those above it and its pillar's heading, as far as they are not there yet. */
  #titlesCost(at: number): number {
    if (this.bodies[at]) return 0;
    const { row } = this.#node(at);
    let cost = 0;
    if (!this.#headed.has(row.role))
      cost += pillarHeading(pillarPresentation(this.#input.space.template, row.role).label).length;
    for (const above of this.#missingAbove(at)) {
      const node = this.#node(above);
      cost += titlePrefixLength(node.depth) + titleText(node.row.title).length;
    }
    return cost;
  }

  /** The Memory and those it is nested in that are not in the text yet. */
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

function beginning(body: string, room: number): string {
  const { at } = cutAt(body, fittingIndex(body, room - ELLIPSIS.length));
  return at === 0 ? '' : body.slice(0, at) + ELLIPSIS;
}

function shownLength({ text }: CutBody): number {
  return text === '' ? 0 : quotedLength(text);
}
