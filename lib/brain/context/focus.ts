import type { TreeNode } from '../tree.ts';
import { assembleContext, clampMaxChars, explainContext } from './assemble.ts';
import type { CutBody } from './bodies.ts';
import { memoriesLookedInto, showBest } from './choose.ts';
import { omissionNote, prefaceFor, spaceHeading } from './layout.ts';
import { ContextPacker } from './packer.ts';
import type { Answers } from './passages.ts';
import { askedRoles, type Range, readingOrder, render } from './render.ts';
import type { ContextExplanation, ContextInput, ContextPayload, ContextRow } from './types.ts';

export type FocusInput = ContextInput & {
  answers: Answers;
  /** Called between two Memories, to yield to the event loop. */
  rest?: () => Promise<void> | undefined;
};

/**
 * A Space as one text about a question. Payload, order and limit are those of `assembleContext`, but the budget goes to what answers the question:
 * short Memories whole, long ones by their matching sentences, then the text around these, then other Memories. The titles of their ancestors are
 * shown. Without any answer, the plain context. Deterministic: the same rows and answers give the same bytes.
 */
export async function focusContext(input: FocusInput): Promise<ContextPayload> {
  const built = await select(input);
  return built ? built.payload : assembleContext(input);
}

/** The same payload, and how each Memory was included, the omitted ones too. */
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
  const budget = maxChars - heading.length - omissionNote(order.total).length;
  const packer = new ContextPacker({ template: space.template, answers, nodes, places, budget });
  const rest = () => input.rest?.();
  await showBest(packer, ranked.slice(0, memoriesLookedInto(maxChars)), answers, rest);
  for (const step of ['grow', 'begin'] as const)
    for (const at of ranked) {
      if (packer.isFull()) break;
      if (step === 'grow') packer.grow(at);
      else if (!packer.isShown(at) && packer.hasPlaceFor(at)) begin(packer, at);
      await rest();
    }
  for (let at = 0; at < nodes.length && !packer.isFull(); at++) packer.fill(at);

  const { bodies } = packer;
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

/** Shows the start of what a lower-ranked Memory has to say: the whole of it, its best sentence, a piece of that, or its beginning. */
function begin(packer: ContextPacker, at: number): void {
  if (packer.showWhole(at)) return;
  const { units } = packer.passages(at);
  let best = -1;
  units.forEach(({ value }, unit) => {
    if (value > (units[best]?.value ?? 0)) best = unit;
  });
  if (best < 0) packer.showBeginning(at);
  else if (!packer.showSentence(at, best)) packer.showPiece(at);
}
