import { SOURCE_LABELS } from '#app/_cockpit/brain-words.ts';
import type { PillarView, SpaceRowView } from '#lib/brain/queries/view-space.ts';
import type { MemorySource, PillarRole } from '#lib/brain/templates.ts';

export type Place = { pillar: PillarRole; parentId: string | null };

/** A row, its pillar and its index among the rows, by identifier. */
export type RowIndex = Map<string, { row: SpaceRowView; pillar: PillarRole; at: number }>;

export function indexRows(pillars: readonly PillarView[]): RowIndex {
  return new Map(
    pillars.flatMap(({ role, memories }) =>
      memories.map((row, at) => [row.id, { row, pillar: role, at }] as const),
    ),
  );
}

/** Whether `id` is `ancestorId` or one of its descendants: a Memory cannot be moved there. */
export function isWithin(index: RowIndex, id: string | null, ancestorId: string): boolean {
  for (let at = id; at !== null; at = index.get(at)?.row.parentId ?? null) if (at === ancestorId) return true;
  return false;
}

/** The number of descendants of a row: the deeper rows that directly follow it. */
export function countWithin(pillars: readonly PillarView[], index: RowIndex, id: string): number {
  const here = index.get(id);
  const rows = pillars.find(({ role }) => role === here?.pillar)?.memories ?? [];
  let within = 0;
  for (let at = (here?.at ?? 0) + 1; here && (rows[at]?.depth ?? -1) > here.row.depth; at++) within += 1;
  return within;
}

/** The row to focus after `id` and its descendants are removed: the next one, else the previous one; null if the pillar is then empty. */
export function rowAfter(pillars: readonly PillarView[], index: RowIndex, id: string): string | null {
  const here = index.get(id);
  if (!here) return null;
  const rows = pillars.find(({ role }) => role === here.pillar)?.memories ?? [];
  return (rows[here.at + 1 + countWithin(pillars, index, id)] ?? rows[here.at - 1])?.id ?? null;
}

/** The place to which Shift and an arrow move a row: right, into the sibling above it; left, out of its parent. Null if there is none. */
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

/** A row as sent to the browser: `[id, index of its parent, title, excerpt, CU, source, contribution, updatedAt]`. At top level the index is -1. */
type PackedRow = readonly [string, number, string, string, number, number, number, number];

/** A pillar with compact rows, half the size: no field names, no parent identifiers. In a large Space, rows are most of the page. */
export type PackedPillar = Omit<PillarView, 'memories'> & { rows: PackedRow[] };

/** Packs pillars for sending; `unpackPillars` returns them unchanged. */
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

/** Unpacks pillars. A parent always precedes its children. */
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
 * The pillars as the server will return them once a Memory is moved with its descendants. Siblings are sorted by age, which their identifiers
 * give. Unchanged if the Memory or its new parent does not exist, or if the parent is within the moved Memory.
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
