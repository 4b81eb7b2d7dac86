import { withoutInvisible } from '#lib/core/text/invisible.ts';
import {
  PILLAR_ROLES,
  type PillarRole,
  pillarPresentation,
  type SpaceTemplate,
  templateLabel,
} from '../templates.ts';
import { orderTree, type TreeNode } from '../tree.ts';
import type { CutBody } from './bodies.ts';
import { BLOCK, emptyNote, omissionNote, pillarHeading, titlePrefix, titleText } from './layout.ts';
import { quote } from './quote.ts';
import type { ContextMemory, ContextPayload, ContextRow } from './types.ts';

export type ReadingOrder = { total: number; nodes(): Iterable<TreeNode<ContextRow>> };

/** The rows in the order of every context. A pillar is sorted when it is reached: with a small budget, the last pillars are only counted. */
export function readingOrder(roles: readonly PillarRole[], memories: readonly ContextRow[]): ReadingOrder {
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

/** A Memory as prompts receive it, without invisible characters. `hasInvisible: false`, from the database, saves looking for them. */
export function promptRow(row: ContextRow): ContextRow {
  if (row.hasInvisible === false) return row;
  const title = withoutInvisible(row.title);
  const body = withoutInvisible(row.body);
  return { ...row, title, body, hasInvisible: false };
}

/** A Memory to show: its title line and the shown part of its body. */
type ShownMemory = { node: TreeNode<ContextRow>; body: CutBody };

/** The offsets of a Memory's block in the text: title line, then body. */
export type Range = { start: number; bodyStart: number; end: number };

/** Writes the text and its payload: Memories in the order given, a heading before the first of each pillar. */
export function render(input: {
  space: { id: string; name: string; template: SpaceTemplate };
  roles: readonly PillarRole[];
  /** The text before the first pillar. */
  heading: string;
  /** Whether each pillar's heading is followed by its note. */
  notes: boolean;
  shown: readonly ShownMemory[];
  /** How many Memories there were to choose from. */
  total: number;
  maxChars: number;
}): { payload: ContextPayload; ranges: Range[] } {
  const { space, roles, shown, total, maxChars } = input;
  let context = input.heading;
  const ranges: Range[] = [];
  const lists = new Map<PillarRole, ContextMemory[]>();
  for (const { node, body } of shown) {
    const { row, depth, parentId } = node;
    let list = lists.get(row.role);
    if (!list) {
      const { label, note } = pillarPresentation(space.template, row.role);
      context += pillarHeading(label) + (input.notes ? `\n${note}` : '');
      list = [];
      lists.set(row.role, list);
    }
    const start = context.length + BLOCK.length;
    context += titlePrefix(depth) + titleText(row.title);
    const bodyStart = context.length;
    if (body.text !== '') context += quote(body.text);
    ranges.push({ start, bodyStart, end: context.length });
    const { id, kind, title, source } = row;
    list.push({ id, parentId, depth, kind, title, body: body.text, truncated: body.truncated, source });
  }
  const omittedMemories = total - shown.length;
  if (total === 0) context += emptyNote(roles.length);
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
    truncated: omittedMemories > 0 || shown.some(({ body }) => body.truncated),
    omittedMemories,
  };
  return { payload, ranges };
}

/** The requested roles, in the order of the pillars. */
export function askedRoles(pillars: readonly PillarRole[]): PillarRole[] {
  return PILLAR_ROLES.filter((role) => pillars.includes(role));
}
