import { SOURCE_LABELS } from '#app/_cockpit/brain-words.ts';
import type { PillarView, SpaceRowView } from '#lib/brain/queries/view-space.ts';
import type { MemorySource, PillarRole } from '#lib/brain/templates.ts';

export type Place = { pillar: PillarRole; parentId: string | null };

/** A row, its pillar and its place among the rows, by identifier. */
export type RowIndex = Map<string, { row: SpaceRowView; pillar: PillarRole; at: number }>;

export function indexRows(pillars: readonly PillarView[]): RowIndex {
  return new Map(
    pillars.flatMap(({ role, memories }) =>
      memories.map((row, at) => [row.id, { row, pillar: role, at }] as const),
    ),
  );
}

/** Whether `id` is `ancestorId` or is nested in it: a Memory cannot go there. */
export function isWithin(index: RowIndex, id: string | null, ancestorId: string): boolean {
  for (let at = id; at !== null; at = index.get(at)?.row.parentId ?? null) if (at === ancestorId) return true;
  return false;
}

/** How many Memories are nested in a row, at any depth: they follow it, deeper than it. */
export function countWithin(pillars: readonly PillarView[], index: RowIndex, id: string): number {
  const here = index.get(id);
  const rows = pillars.find(({ role }) => role === here?.pillar)?.memories ?? [];
  let within = 0;
  for (let at = (here?.at ?? 0) + 1; here && (rows[at]?.depth ?? -1) > here.row.depth; at++) within += 1;
  return within;
}

/** The row that stands where this one stood once it is gone with what it holds: the next, else the one before; null in an empty pillar. */
export function rowAfter(pillars: readonly PillarView[], index: RowIndex, id: string): string | null {
  const here = index.get(id);
  if (!here) return null;
  const rows = pillars.find(({ role }) => role === here.pillar)?.memories ?? [];
  return (rows[here.at + 1 + countWithin(pillars, index, id)] ?? rows[here.at - 1])?.id ?? null;
}

/** Where Shift and an arrow take a row: right, under the row above it of the same depth; left, out of its parent. */
export function neighbour(
  pillars: readonly PillarView[],
  index: RowIndex,
  id: string,
  direction: 'in' | 'out',
): Place | null {
  const here = index.get(id);
  if (!here) return null;
  const { row, pillar, at } = here;
  if (direction === 'out') {
    const parent = row.parentId === null ? undefined : index.get(row.parentId);
    return parent ? { pillar, parentId: parent.row.parentId } : null;
  }
  const rows = pillars.find(({ role }) => role === pillar)?.memories ?? [];
  for (let above = at - 1; above >= 0; above--) {
    const other = rows[above];
    if (!other || other.depth < row.depth) return null;
    if (other.depth === row.depth) return { pillar, parentId: other.id };
  }
  return null;
}

const SOURCES = Object.keys(SOURCE_LABELS) as MemorySource[];

/** A row as the page sends it: `[id, place of its parent, title, excerpt, CU, source, contribution, updatedAt]`; a root's parent is -1. */
type PackedRow = readonly [string, number, string, string, number, number, number, number];

/** A pillar whose rows weigh half: no names, no parent identifiers. Thousands of rows are most of the page. */
export type PackedPillar = Omit<PillarView, 'memories'> & { rows: PackedRow[] };

/** What the server draws, ready to send; `unpackPillars` gives it back exactly. */
export function packPillars(pillars: readonly PillarView[]): PackedPillar[] {
  return pillars.map(({ memories, ...pillar }) => {
    const places = new Map(memories.map(({ id }, at) => [id, at]));
    return {
      ...pillar,
      rows: memories.map((row) => [
        row.id,
        row.parentId === null ? -1 : (places.get(row.parentId) ?? -1),
        row.title,
        row.excerpt,
        row.cu,
        SOURCES.indexOf(row.source),
        row.contribution,
        row.updatedAt.getTime(),
      ]),
    };
  });
}

/** The pillars that were packed: a parent always comes before what it holds. */
export function unpackPillars(packed: readonly PackedPillar[]): PillarView[] {
  return packed.map(({ rows, ...pillar }) => {
    const memories: SpaceRowView[] = [];
    for (const [id, parentAt, title, excerpt, cu, source, contribution, updatedAt] of rows) {
      const parent = memories[parentAt];
      memories.push({
        id,
        parentId: parent?.id ?? null,
        depth: parent ? parent.depth + 1 : 0,
        title,
        excerpt,
        cu,
        source: SOURCES[source] ?? 'MANUAL',
        contribution,
        updatedAt: new Date(updatedAt),
      });
    }
    return { ...pillar, memories };
  });
}

/**
 * The pillars as the server will give them back once a Memory is moved, with all that it holds: among its new siblings by age,
 * which their identifiers tell. Unchanged when the Memory or its new parent is not there.
 */
export function withMoved(pillars: PillarView[], id: string, to: Place): PillarView[] {
  const index = indexRows(pillars);
  const from = index.get(id);
  const parent = to.parentId === null ? null : index.get(to.parentId);
  if (!from || parent === undefined || isWithin(index, to.parentId, id)) return pillars;
  const source = pillars.find(({ role }) => role === from.pillar)?.memories ?? [];
  let end = from.at + 1;
  while ((source[end]?.depth ?? -1) > from.row.depth) end++;
  const depth = parent ? parent.row.depth + 1 : 0;
  const branch = source.slice(from.at, end).map((row, at) => ({
    ...row,
    depth: row.depth - from.row.depth + depth,
    parentId: at === 0 ? to.parentId : row.parentId,
  }));
  return pillars.map((pillar) => {
    if (pillar.role !== from.pillar && pillar.role !== to.pillar) return pillar;
    const rows =
      pillar.role === from.pillar ? pillar.memories.toSpliced(from.at, branch.length) : pillar.memories;
    if (pillar.role !== to.pillar) return { ...pillar, memories: rows };
    let at = parent ? rows.findIndex((row) => row.id === to.parentId) + 1 : 0;
    for (; at < rows.length; at++) {
      const row = rows[at] as SpaceRowView;
      if (row.depth < depth || (row.depth === depth && row.id > id)) break;
    }
    return { ...pillar, memories: rows.toSpliced(at, 0, ...branch) };
  });
}
