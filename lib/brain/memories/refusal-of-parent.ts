import { MAX_MEMORY_DEPTH } from '../limits.ts';
import type { PillarRole } from '../templates.ts';

type Parent = { spaceId: string; role: PillarRole; depth: number };

/**
 * Why nothing can be nested there under this Memory, in French; null when it can. `height`: levels of what would be nested below its own
 * top; 0 for one Memory alone.
 */
export function refusalOfParent(
  parent: Parent,
  place: { spaceId: string; pillar: PillarRole; height: number },
): string | null {
  if (parent.spaceId !== place.spaceId) return 'La mémoire parente est dans un autre espace.';
  if (parent.role !== place.pillar) return 'La mémoire parente est dans un autre pilier.';
  if (parent.depth + 1 + place.height > MAX_MEMORY_DEPTH)
    return `L’imbrication dépasserait ${MAX_MEMORY_DEPTH} niveaux.`;
  return null;
}
