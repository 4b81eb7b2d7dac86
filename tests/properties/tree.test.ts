import fc from 'fast-check';
import { expect, it } from 'vitest';
import { oldestFirst, orderTree, type TreeRow } from '#lib/brain/tree.ts';

/** Rows whose parents are anything: another row, itself, a cycle, an unknown identifier, none. */
const anyRows = fc
  .array(fc.record({ at: fc.integer({ min: 0, max: 5 }), parent: fc.integer({ min: -2, max: 30 }) }), {
    maxLength: 30,
  })
  .map((specs): TreeRow[] =>
    specs.map(({ at, parent }, i) => ({
      id: `m${String(i).padStart(2, '0')}`,
      parentId: parent === -2 ? null : parent === -1 ? 'unknown' : `m${String(parent).padStart(2, '0')}`,
      createdAt: new Date(at),
    })),
  );

/** Rows whose parents exist and form no cycle. */
const forest = fc
  .array(fc.record({ at: fc.integer({ min: 0, max: 5 }), parent: fc.nat() }), { maxLength: 30 })
  .map((specs): TreeRow[] =>
    specs.map(({ at, parent }, i) => ({
      id: `m${String((i * 7) % 31).padStart(2, '0')}`,
      parentId: parent % (i + 1) === i ? null : `m${String(((parent % (i + 1)) * 7) % 31).padStart(2, '0')}`,
      createdAt: new Date(at),
    })),
  );

/** The specification, written as plainly as possible. */
function naive(rows: TreeRow[], parentId: string | null = null, depth = 0): { id: string; depth: number }[] {
  return rows
    .filter((row) => row.parentId === parentId)
    .sort(oldestFirst)
    .flatMap((row) => [{ id: row.id, depth }, ...naive(rows, row.id, depth + 1)]);
}

it('reads oldest first, a nested Memory right after its parent, depth first', () => {
  fc.assert(
    fc.property(forest, (rows) => {
      expect(orderTree(rows).map(({ row, depth }) => ({ id: row.id, depth }))).toEqual(naive(rows));
    }),
  );
});

it('neither loses nor repeats a Memory, whatever the parents say', () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      const nodes = orderTree(rows);
      expect(nodes.map(({ row }) => row.id).sort()).toEqual(rows.map((row) => row.id).sort());
      const depths = new Map<string, number>();
      for (const { row, depth, parentId } of nodes) {
        expect(depth).toBe(parentId === null ? 0 : (depths.get(parentId) as number) + 1);
        if (parentId !== null) expect(parentId).toBe(row.parentId);
        depths.set(row.id, depth);
      }
    }),
  );
});

it('makes an orphan a root, opens a cycle, and survives a chain of 50,000', () => {
  const row = (id: string, parentId: string | null, at: number) => ({
    id,
    parentId,
    createdAt: new Date(at),
  });
  expect(orderTree([row('a', 'gone', 1)])).toMatchObject([{ depth: 0, parentId: null }]);
  expect(orderTree([row('b', 'a', 2), row('a', 'b', 1)]).map((node) => [node.row.id, node.depth])).toEqual([
    ['a', 0],
    ['b', 1],
  ]);
  const chain = Array.from({ length: 50_000 }, (_, i) => row(`m${i}`, i === 0 ? null : `m${i - 1}`, i));
  expect(orderTree(chain).at(-1)?.depth).toBe(49_999);
});

it('gives siblings of one moment in the order of their identifiers, and rows that come in order as they came', () => {
  const at = new Date(1);
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat({ max: 99 }), { minLength: 2, maxLength: 12 }), (numbers) => {
      const rows = numbers.map((n) => ({
        id: `m${String(n).padStart(2, '0')}`,
        parentId: null,
        createdAt: at,
      }));
      const names = rows.map(({ id }) => id);
      expect(orderTree(rows).map(({ row, depth, parentId }) => [row.id, depth, parentId])).toEqual(
        [...names].sort().map((id) => [id, 0, null]),
      );
      for (const one of rows)
        for (const other of rows) {
          const order = oldestFirst(one, other);
          expect(Math.sign(order)).toBe(one.id === other.id ? 0 : one.id < other.id ? -1 : 1);
        }
    }),
  );
});

it('opens a cycle at its oldest row once every root has come, and keeps what hangs from it under its parents', () => {
  const row = (id: string, parentId: string | null, at: number): TreeRow => ({
    id,
    parentId,
    createdAt: new Date(at),
  });
  const placed = (rows: TreeRow[]) => orderTree(rows).map((node) => [node.row.id, node.depth, node.parentId]);
  // a, b and c under one another in a ring; d beside b; an orphan and a root, both younger.
  const ring = [row('a', 'c', 1), row('b', 'a', 2), row('c', 'b', 3), row('d', 'a', 4)];
  expect(placed([...ring, row('x', 'gone', 5), row('y', null, 6), row('z', 'x', 7)])).toEqual([
    ['x', 0, null],
    ['z', 1, 'x'],
    ['y', 0, null],
    ['a', 0, null],
    ['b', 1, 'a'],
    ['c', 2, 'b'],
    ['d', 1, 'a'],
  ]);
  expect(placed([row('s', 's', 1), row('t', 's', 2), row('u', 't', 3), row('v', 's', 4)])).toEqual([
    ['s', 0, null],
    ['t', 1, 's'],
    ['u', 2, 't'],
    ['v', 1, 's'],
  ]);
});
