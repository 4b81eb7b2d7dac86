import { readJson } from '#app/_cockpit/act.ts';
import type { MemoryDetail } from '#lib/brain/queries/get-memory.ts';
import type { RowIndex } from '../_tree/tree.ts';

/** The state of a Memory as the board knows it: what was read of another one is not shown. */
export function stampOf(index: RowIndex, memoryId: string): string {
  const place = index.get(memoryId);
  return `${String(place?.row.updatedAt)}|${place?.pillar}|${place?.row.parentId}`;
}

/** Memories kept that were read ahead: some screens of a board. */
const MOST = 40;

type Read = { stamp: string; memory: MemoryDetail | null; coming: Promise<MemoryDetail | null> };
const ahead = new Map<string, Read>();

/** Reads a Memory before it is opened, once for each of its states (`stamp`). A read that fails is forgotten: the panel asks again, and says why. */
export function readAhead(memoryId: string, stamp: string): void {
  if (ahead.get(memoryId)?.stamp === stamp) return;
  const read: Read = { stamp, memory: null, coming: Promise.resolve(null) };
  read.coming = readJson<MemoryDetail>(`/api/brain/memories/${encodeURIComponent(memoryId)}`).then(
    (memory) => {
      read.memory = memory;
      return memory;
    },
    () => {
      if (ahead.get(memoryId) === read) ahead.delete(memoryId);
      return null;
    },
  );
  ahead.delete(memoryId);
  ahead.set(memoryId, read);
  for (const oldest of ahead.keys()) {
    if (ahead.size <= MOST) break;
    ahead.delete(oldest);
  }
}

/** The Memory as it was read ahead, when it is still in that state; null when it is not there yet. */
export function takenAhead(memoryId: string, stamp: string): MemoryDetail | null {
  const read = ahead.get(memoryId);
  return read?.stamp === stamp ? read.memory : null;
}

/** What is on its way, so that it is not asked for twice; null when nothing is. */
export function comingAhead(memoryId: string, stamp: string): Promise<MemoryDetail | null> | null {
  const read = ahead.get(memoryId);
  return read?.stamp === stamp ? read.coming : null;
}
