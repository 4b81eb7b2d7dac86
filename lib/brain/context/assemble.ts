import { DEFAULT_CONTEXT_CHARS, MAX_CONTEXT_CHARS, MIN_CONTEXT_CHARS } from '../limits.ts';
import { type PillarRole, pillarPresentation, type SpaceTemplate } from '../templates.ts';
import type { TreeNode } from '../tree.ts';
import { type CutBody, shareBodies } from './bodies.ts';
import {
  omissionNote,
  pillarHeading,
  prefaceFor,
  spaceHeading,
  titlePrefixLength,
  titleText,
} from './layout.ts';
import { askedRoles, type Range, type ReadingOrder, readingOrder, render } from './render.ts';
import type { ContextExplanation, ContextInput, ContextPayload, ContextRow } from './types.ts';

/** The preface and the pillars' notes together may take this fraction of the budget. Above it, the notes are left out. */
const EXTRAS_PART = 1 / 8;

/** The `maxChars` that is applied: 16,000 by default, clamped to 200–200,000. */
export function clampMaxChars(asked: number | null | undefined = DEFAULT_CONTEXT_CHARS): number {
  if (asked === null || Number.isNaN(asked)) return DEFAULT_CONTEXT_CHARS;
  return Math.trunc(Math.min(MAX_CONTEXT_CHARS, Math.max(MIN_CONTEXT_CHARS, asked)));
}

/**
 * A Space as one text for a prompt, never longer than `maxChars`. Deterministic: the same rows give the same bytes. A pillar without Memories is
 * listed in `pillars` and has no heading in the text. Linear in the number of rows.
 */
export function assembleContext(input: ContextInput): ContextPayload {
  return build(input).payload;
}

/** The same payload, and for each Memory, the omitted ones too, its share of the budget, its inclusion and its cut. */
export function explainContext(input: ContextInput): {
  payload: ContextPayload;
  memories: ContextExplanation[];
} {
  const built = build(input);
  return { payload: built.payload, memories: explain(built) };
}

type Built = { payload: ContextPayload; order: ReadingOrder; bodies: CutBody[]; ranges: Range[] };

function build({ space, pillars, memories, maxChars: asked }: ContextInput): Built {
  const maxChars = clampMaxChars(asked);
  const roles = askedRoles(pillars);
  const order = readingOrder(roles, memories);
  const heading = spaceHeading(space.name, maxChars) + (order.total > 0 ? prefaceFor(maxChars) : '');
  const kept = keepTitles(order, heading.length, space.template, maxChars);
  const bodies = shareBodies(
    kept.placed.map(({ row }) => row.body),
    maxChars - kept.length,
    maxChars,
  );
  const shown = kept.placed.map((node, i) => ({ node, body: bodies[i] as CutBody }));
  const { payload, ranges } = render({
    space,
    roles,
    heading,
    notes: kept.notes,
    shown,
    total: order.total,
    maxChars,
  });
  return { payload, order, bodies, ranges };
}

/** Which Memories keep their title line, whether the notes are shown, and the length that this takes. */
function keepTitles(
  order: ReadingOrder,
  headingLength: number,
  template: SpaceTemplate,
  maxChars: number,
): { placed: TreeNode<ContextRow>[]; length: number; notes: boolean } {
  let length = headingLength;
  let notesLength = 0;
  let fitting = 0;
  let fittingLength = headingLength + omissionNote(order.total).length;
  const placed: TreeNode<ContextRow>[] = [];
  let role: PillarRole | undefined;
  for (const node of order.nodes()) {
    if (node.row.role !== role) {
      role = node.row.role;
      const { label, note } = pillarPresentation(template, role);
      length += pillarHeading(label).length;
      notesLength += 1 + note.length;
    }
    const title = titleText(node.row.title);
    length += titlePrefixLength(node.depth) + title.length;
    // The total only grows: past the budget no further Memory can be kept.
    if (length > maxChars) break;
    placed.push(node);
    const omitted = order.total - placed.length;
    const whole = length + (omitted > 0 ? omissionNote(omitted).length : 0);
    if (whole <= maxChars) {
      fitting = placed.length;
      fittingLength = whole;
    }
  }
  if (fitting < order.total) return { placed: placed.slice(0, fitting), length: fittingLength, notes: false };
  if (order.total === 0) return { placed, length, notes: false };
  const extras = prefaceFor(maxChars).length + notesLength;
  const notes = extras <= maxChars * EXTRAS_PART && length + notesLength <= maxChars;
  return { placed, length: length + (notes ? notesLength : 0), notes };
}

function explain({ payload, order, bodies, ranges }: Built): ContextExplanation[] {
  return [...order.nodes()].map(({ row }, i) => {
    const body = bodies[i];
    const range = ranges[i] ?? null;
    return {
      id: row.id,
      role: row.role,
      title: row.title,
      inclusion: !body
        ? 'omitted'
        : !body.truncated
          ? 'whole'
          : body.text === ''
            ? 'title-only'
            : 'shortened',
      range,
      share: range ? (range.end - range.start) / payload.maxChars : 0,
      cut: body?.cut ?? null,
    };
  });
}
