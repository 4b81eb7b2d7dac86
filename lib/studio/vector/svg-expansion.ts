/** One element as drawn: what it holds and which ids it calls for. */
export type SvgNode = { id: string | null; children: SvgNode[]; points: string[] };

/**
 * How many elements a renderer draws once every reference is followed, or why it cannot be said: `missing` (a reference to
 * nothing) or `cycle`. Each element is counted once and remembered, so a bomb is weighed without being set off.
 */
export function expandedCount(
  root: SvgNode,
  byId: ReadonlyMap<string, SvgNode>,
): number | 'missing' | 'cycle' {
  const known = new Map<SvgNode, number>();
  const open = new Set<SvgNode>();
  function weigh(node: SvgNode): number | 'missing' | 'cycle' {
    const before = known.get(node);
    if (before !== undefined) return before;
    if (open.has(node)) return 'cycle';
    open.add(node);
    let total = 1;
    for (const next of [...node.children, ...node.points.map((id) => byId.get(id))]) {
      const weight = next ? weigh(next) : 'missing';
      if (typeof weight === 'string') return weight;
      total += weight;
    }
    open.delete(node);
    known.set(node, total);
    return total;
  }
  return weigh(root);
}
