export type TreeRow = { id: string; parentId: string | null; createdAt: Date };

export type TreeNode<T> = {
  row: T;
  /** 0 for a root. */
  depth: number;
  /** The parent as placed in the tree: null for a root, and for an orphan whose stored parent is not among the rows. */
  parentId: string | null;
};

/**
 * Reading order of one pillar: oldest first (createdAt, then id), a nested Memory right after its parent, depth first.
 * Every row comes out exactly once: one whose parent is absent becomes a root, a cycle is opened at its oldest
 * row. Linear but for the sort, which is linear too when the rows already come oldest first.
 */
export function orderTree<T extends TreeRow>(rows: readonly T[]): TreeNode<T>[] {
  const sorted = inOrder(rows) ? rows : [...rows].sort(oldestFirst);
  const ordered: TreeNode<T>[] = [];
  if (sorted.every((row) => row.parentId === null)) {
    for (const row of sorted) ordered.push({ row, depth: 0, parentId: null });
    return ordered;
  }
  const { parents, firstChild, nextSibling } = linkChildren(sorted);
  const placed = new Uint8Array(sorted.length);
  const place = (root: number) => {
    const stack = [{ at: root, depth: 0, parentId: null as string | null }];
    for (let node = stack.pop(); node; node = stack.pop()) {
      const { at, depth, parentId } = node;
      // Under its first child on the stack: the sibling is read once the child's whole branch is.
      const sibling = nextSibling[at] as number;
      if (sibling !== NONE && depth > 0) stack.push({ at: sibling, depth, parentId });
      if (placed[at] === 1) continue;
      placed[at] = 1;
      const row = sorted[at] as T;
      ordered.push({ row, depth, parentId });
      const child = firstChild[at] as number;
      if (child !== NONE) stack.push({ at: child, depth: depth + 1, parentId: row.id });
    }
  };
  for (let at = 0; at < sorted.length; at++) if (parents[at] === NONE) place(at);
  if (ordered.length < sorted.length) {
    for (let at = 0; at < sorted.length; at++) if (placed[at] === 0) place(at);
  }
  return ordered;
}

const NONE = -1;

/** Each row's parent, first child and next sibling as indexes; the parent of an orphan is `NONE`. */
function linkChildren(sorted: readonly TreeRow[]) {
  const indexes = new Map<string, number>();
  for (let at = 0; at < sorted.length; at++) indexes.set((sorted[at] as TreeRow).id, at);
  const parents = new Int32Array(sorted.length).fill(NONE);
  const firstChild = new Int32Array(sorted.length).fill(NONE);
  const nextSibling = new Int32Array(sorted.length).fill(NONE);
  for (let at = sorted.length - 1; at >= 0; at--) {
    const { parentId } = sorted[at] as TreeRow;
    const parent = parentId === null ? undefined : indexes.get(parentId);
    if (parent === undefined) continue;
    parents[at] = parent;
    nextSibling[at] = firstChild[parent] as number;
    firstChild[parent] = at;
  }
  return { parents, firstChild, nextSibling };
}

function inOrder(rows: readonly TreeRow[]): boolean {
  for (let i = 1; i < rows.length; i++) {
    if (oldestFirst(rows[i - 1] as TreeRow, rows[i] as TreeRow) > 0) return false;
  }
  return true;
}

/** Oldest first: createdAt, then id by code units. */
export function oldestFirst(a: TreeRow, b: TreeRow): number {
  return a.createdAt.getTime() - b.createdAt.getTime() || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
