import { PILLAR_ROLES, type PillarRole } from '../templates.ts';
import { orderTree, type TreeNode, type TreeRow } from '../tree.ts';
import type { ExportedMemory, SpaceToExport } from './types.ts';

/** Every Memory in reading order: pillars by role, then the order of the tree. */
export function readingOrderOf<T extends TreeRow & { pillar: PillarRole }>(
  memories: readonly T[],
): TreeNode<T>[] {
  return PILLAR_ROLES.flatMap((role) => orderTree(memories.filter(({ pillar }) => pillar === role)));
}

/** Memories whose texts are held at once: 8 MiB at most. */
const SLICE = 64;

/** The same with their texts, read a slice at a time. A text that was erased meanwhile ends it: an export is whole, or none. */
export async function* inReadingOrder({
  memories,
  readTexts,
}: SpaceToExport): AsyncGenerator<TreeNode<ExportedMemory>> {
  const nodes = readingOrderOf(memories);
  for (let from = 0; from < nodes.length; from += SLICE) {
    const slice = nodes.slice(from, from + SLICE);
    const texts = await readTexts(slice.map(({ row }) => row.id));
    for (const { row, ...place } of slice) {
      const text = texts.get(row.id);
      if (!text) throw new Error('a Memory was erased while its Space was being exported');
      yield { ...place, row: { ...row, ...text } };
    }
  }
}
