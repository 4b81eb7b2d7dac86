import {
  PILLAR_ROLES,
  type PillarRole,
  pillarPresentation,
  type SpaceTemplate,
  templateLabel,
} from '../templates.ts';
import { withoutInvisible } from '../text/invisible.ts';
import { orderTree, type TreeNode } from '../tree.ts';
import { type CutBody, shareBodies } from './bodies.ts';
import {
  BLOCK,
  emptyNote,
  omissionNote,
  pillarHeading,
  prefaceFor,
  spaceHeading,
  titlePrefix,
  titlePrefixLength,
  titleText,
} from './layout.ts';
import { quote } from './quote.ts';
import type { ContextExplanation, ContextInput, ContextPayload, ContextRow } from './types.ts';

const DEFAULT_MAX_CHARS = 16_000;
const LEAST_MAX_CHARS = 200;
const GREATEST_MAX_CHARS = 200_000;

/** The preface and the pillars' notes may take this part of the budget; beyond, the notes leave it to the Memories. */
const EXTRAS_PART = 1 / 8;

/** The `maxChars` that is applied for what was asked: 16,000 by default, kept between 200 and 200,000. */
export function clampMaxChars(asked: number | null | undefined = DEFAULT_MAX_CHARS): number {
  if (asked === null || Number.isNaN(asked)) return DEFAULT_MAX_CHARS;
  return Math.trunc(Math.min(GREATEST_MAX_CHARS, Math.max(LEAST_MAX_CHARS, asked)));
}

/**
 * A Space as one text for a prompt, never longer than `maxChars`, the same to the byte for the same rows.
 * A pillar without Memories is in `pillars` and has no heading in the text. Linear in the number of rows.
 */
export function assembleContext(input: ContextInput): ContextPayload {
  return build(input).payload;
}

/** The same payload, and for each Memory its share of the budget, its cut and why; omitted ones included. */
export function explainContext(input: ContextInput): {
  payload: ContextPayload;
  memories: ContextExplanation[];
} {
  const built = build(input);
  return { payload: built.payload, memories: explain(built) };
}

type Placed = TreeNode<ContextRow> & { titleLine: string };

type Built = {
  payload: ContextPayload;
  order: ReadingOrder;
  bodies: CutBody[];
  ranges: { start: number; bodyStart: number; end: number }[];
};

function build({ space, pillars, memories, maxChars: asked }: ContextInput): Built {
  const maxChars = clampMaxChars(asked);
  const roles = PILLAR_ROLES.filter((role) => pillars.includes(role));
  const order = readingOrder(roles, memories);
  const heading = spaceHeading(space.name, maxChars) + (order.total > 0 ? prefaceFor(maxChars) : '');
  const kept = keepTitles(order, heading.length, space.template, maxChars);
  const bodies = shareBodies(
    kept.placed.map(({ row }) => row.body),
    maxChars - kept.length,
    maxChars,
  );

  let context = heading;
  const ranges: Built['ranges'] = [];
  const lists = new Map<PillarRole, ContextPayload['pillars'][number]['memories']>();
  kept.placed.forEach(({ row, depth, parentId, titleLine }, i) => {
    let list = lists.get(row.role);
    if (!list) {
      const { label, note } = pillarPresentation(space.template, row.role);
      context += pillarHeading(label) + (kept.notes ? `\n${note}` : '');
      list = [];
      lists.set(row.role, list);
    }
    const { text, truncated } = bodies[i] as CutBody;
    const start = context.length + BLOCK.length;
    context += titleLine;
    const bodyStart = context.length;
    if (text !== '') context += quote(text);
    ranges.push({ start, bodyStart, end: context.length });
    const { id, kind, title, source } = row;
    list.push({ id, parentId, depth, kind, title, body: text, truncated, source });
  });
  const omittedMemories = order.total - kept.placed.length;
  if (order.total === 0) context += emptyNote(roles.length);
  else if (omittedMemories > 0) context += omissionNote(omittedMemories);

  const payload: ContextPayload = {
    object: 'context',
    space: {
      id: space.id,
      name: withoutInvisible(space.name),
      template: space.template,
      templateLabel: templateLabel(space.template),
    },
    pillars: roles.map((role) => {
      const { label, note } = pillarPresentation(space.template, role);
      return { role, label, note, memories: lists.get(role) ?? [] };
    }),
    context,
    maxChars,
    truncated: omittedMemories > 0 || bodies.some((body) => body.truncated),
    omittedMemories,
  };
  return { payload, order, bodies, ranges };
}

type ReadingOrder = { total: number; nodes(): Iterable<TreeNode<ContextRow>> };

/** Pillars are put in order one by one as they are read: those that a small budget never reaches are only counted. */
function readingOrder(roles: readonly PillarRole[], memories: readonly ContextRow[]): ReadingOrder {
  const byRole = new Map<PillarRole, ContextRow[]>(roles.map((role) => [role, []]));
  let total = 0;
  for (const row of memories) {
    const rows = byRole.get(row.role);
    if (!rows) continue;
    rows.push(promptRow(row));
    total++;
  }
  return {
    total,
    *nodes() {
      for (const rows of byRole.values()) yield* orderTree(rows);
    },
  };
}

/** A Memory as prompts receive it. The database says which ones have nothing to lose. */
function promptRow(row: ContextRow): ContextRow {
  if (row.hasInvisible === false) return row;
  const title = withoutInvisible(row.title);
  const body = withoutInvisible(row.body);
  return title === row.title && body === row.body ? row : { ...row, title, body };
}

/** Which Memories keep their title line, whether the notes are shown, and what all this takes. */
function keepTitles(
  order: ReadingOrder,
  headingLength: number,
  template: SpaceTemplate,
  maxChars: number,
): { placed: Placed[]; length: number; notes: boolean } {
  let length = headingLength;
  let notesLength = 0;
  let fitting = 0;
  let fittingLength = headingLength + omissionNote(order.total).length;
  const placed: Placed[] = [];
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
    // The lines only get longer: past the budget no further Memory can be kept.
    if (length > maxChars) break;
    placed.push({ ...node, titleLine: titlePrefix(node.depth) + title });
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
      bodyLength: row.body.length,
      cut: body?.cut ?? null,
    };
  });
}
