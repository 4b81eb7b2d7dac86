import { readJson } from '#app/_cockpit/act.ts';
import type { MemoryDetail } from '#lib/brain/queries/get-memory.ts';
import type { RowIndex } from '../_tree/tree.ts';

/** Identifies the state of a Memory on the board: what was loaded in advance for another state is not used. */
export function stampOf(index: RowIndex, memoryId: string): string {
  const place = index.get(memoryId);
  return `${String(place?.row.updatedAt)}|${place?.pillar}|${place?.row.parentId}`;
}

/** The most Memories kept in advance: a few screens of a board. */
const MOST = 40;

type Read = { stamp: string; memory: MemoryDetail | null; coming: Promise<MemoryDetail | null> };
const ahead = new Map<string, Read>();

/** Loads a Memory before it is opened, once per state (`stamp`). A failure is forgotten: the panel loads it again, and shows the error. */
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

/** The Memory loaded in advance, if its state is still `stamp`; else null. */
export function takenAhead(memoryId: string, stamp: string): MemoryDetail | null {
  const read = ahead.get(memoryId);
  return read?.stamp === stamp ? read.memory : null;
}

/** The pending load, so that it is not requested twice; null if there is none. */
export function comingAhead(memoryId: string, stamp: string): Promise<MemoryDetail | null> | null {
  const read = ahead.get(memoryId);
  return read?.stamp === stamp ? read.coming : null;
}
