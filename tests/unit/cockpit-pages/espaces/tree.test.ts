import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  indexRows,
  isWithin,
  packPillars,
  unpackPillars,
  withMoved,
} from '#app/(cockpit)/espaces/[id]/_tree/tree.ts';
import type { PillarView, SpaceRowView } from '#lib/brain/queries/view-space.ts';
import { PILLAR_ROLES, type PillarRole } from '#lib/brain/templates.ts';
import { orderTree } from '#lib/brain/tree.ts';

type Stored = { id: string; role: PillarRole; parentId: string | null; createdAt: Date };

/** The rows as the server arranges them. */
function drawn(rows: readonly Stored[]): PillarView[] {
  return PILLAR_ROLES.map((role) => ({
    role,
    label: role,
    icon: 'x',
    note: '',
    cu: 0,
    quality: 0,
    memories: orderTree(rows.filter((row) => row.role === role)).map(
      ({ row, depth, parentId }): SpaceRowView => ({
        id: row.id,
        parentId,
        depth,
        title: row.id,
        excerpt: '',
        cu: 1,
        source: 'MANUAL',
        contribution: 0,
        updatedAt: row.createdAt,
      }),
    ),
  }));
}

/** Memories of two pillars, some nested under an older one of the same pillar. */
const spaces = fc
  .array(fc.tuple(fc.boolean(), fc.option(fc.nat(20))), { minLength: 1, maxLength: 25 })
  .map((choices) => {
    const rows: Stored[] = [];
    for (const [first, under] of choices) {
      const role = first ? 'IDENTITY' : 'PEOPLE';
      const older = rows.filter((row) => row.role === role);
      const at = rows.length;
      rows.push({
        id: `mem_${String(at).padStart(3, '0')}`,
        role,
        parentId: under === null ? null : (older[under % Math.max(1, older.length)]?.id ?? null),
        createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, at)),
      });
    }
    return rows;
  });

describe('the rows of a Space', () => {
  it('come out of the page exactly as they went in', () => {
    fc.assert(
      fc.property(spaces, (rows) => {
        expect(unpackPillars(packPillars(drawn(rows)))).toEqual(drawn(rows));
      }),
    );
  });

  it('moved ahead of the server stand where the server will put them', () => {
    fc.assert(
      fc.property(spaces, fc.nat(), fc.nat(), fc.boolean(), (rows, which, where, first) => {
        const before = drawn(rows);
        const index = indexRows(before);
        const { id } = rows[which % rows.length] as Stored;
        const parent = where % 3 === 0 ? null : (rows[where % rows.length] as Stored);
        fc.pre(parent === null || !isWithin(index, parent.id, id));
        const pillar = parent?.role ?? (first ? 'IDENTITY' : 'PEOPLE');
        const stored = rows.map((row) => {
          const moved = isWithin(index, row.id, id) ? { ...row, role: pillar } : row;
          return row.id === id ? { ...moved, parentId: parent?.id ?? null } : moved;
        });
        expect(withMoved(before, id, { pillar, parentId: parent?.id ?? null })).toEqual(drawn(stored));
      }),
    );
  });

  it('are left as they are by a move into themselves', () => {
    const rows = drawn([{ id: 'mem_000', role: 'IDENTITY', parentId: null, createdAt: new Date(0) }]);
    expect(withMoved(rows, 'mem_000', { pillar: 'IDENTITY', parentId: 'mem_000' })).toBe(rows);
  });
});
