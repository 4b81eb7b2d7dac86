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
  const children = childrenByParent(sorted);
  const placed = new Set<T>();
  const place = (root: T) => {
    const stack: TreeNode<T>[] = [{ row: root, depth: 0, parentId: null }];
    for (let node = stack.pop(); node; node = stack.pop()) {
      if (placed.has(node.row)) continue;
      placed.add(node.row);
      ordered.push(node);
      const nested = children.byId.get(node.row.id) ?? [];
      for (let i = nested.length - 1; i >= 0; i--) {
        stack.push({ row: nested[i] as T, depth: node.depth + 1, parentId: node.row.id });
      }
    }
  };
  for (const root of children.roots) place(root);
  if (ordered.length < sorted.length) for (const row of sorted) if (!placed.has(row)) place(row);
  return ordered;
}

function childrenByParent<T extends TreeRow>(sorted: readonly T[]): { roots: T[]; byId: Map<string, T[]> } {
  const ids = new Set<string>();
  for (const row of sorted) ids.add(row.id);
  const roots: T[] = [];
  const byId = new Map<string, T[]>();
  for (const row of sorted) {
    if (row.parentId === null || !ids.has(row.parentId)) {
      roots.push(row);
      continue;
    }
    const siblings = byId.get(row.parentId);
    if (siblings) siblings.push(row);
    else byId.set(row.parentId, [row]);
  }
  return { roots, byId };
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
