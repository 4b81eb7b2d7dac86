import { PILLAR_ROLES } from '../templates.ts';
import { orderTree, type TreeNode } from '../tree.ts';
import type { ExportedMemory } from './types.ts';

/** Every Memory in reading order: pillars by role, then the order of the tree. */
export function readingOrderOf<T extends ExportedMemory>(memories: readonly T[]): TreeNode<T>[] {
  return PILLAR_ROLES.flatMap((role) => orderTree(memories.filter(({ pillar }) => pillar === role)));
}
