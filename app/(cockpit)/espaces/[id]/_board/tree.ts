import type { PillarView, SpaceRowView } from '#lib/brain/cockpit/view-space.ts';
import type { PillarRole } from '#lib/brain/templates.ts';

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
