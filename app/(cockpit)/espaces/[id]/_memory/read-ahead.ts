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

type Read = {
  stamp: string;
  memory: MemoryDetail | null;
  coming: Promise<MemoryDetail | null>;
  stop: AbortController;
};
const ahead = new Map<string, Read>();

/** Loads a Memory before it is opened, once per state (`stamp`). A failure is forgotten: the panel loads it again, and shows the error. */
export function readAhead(memoryId: string, stamp: string): void {
  if (ahead.get(memoryId)?.stamp === stamp) return;
  const stop = new AbortController();
  const read: Read = { stamp, memory: null, coming: Promise.resolve(null), stop };
  const address = `/api/brain/memories/${encodeURIComponent(memoryId)}`;
  read.coming = readJson<MemoryDetail>(address, { signal: stop.signal }).then(
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

/** Ends the pending load of a Memory that is being deleted: there would be nothing to load. */
export function dropAhead(memoryId: string): void {
  ahead.get(memoryId)?.stop.abort();
  ahead.delete(memoryId);
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
