import type { FileStore, StoredFile } from './file-store.ts';

/** How many files the store is asked about at once. */
const TOGETHER = 16;

/** What the store has under these pathnames; what it has not is absent. Throws when it does not answer. */
export async function headAll(
  store: FileStore,
  pathnames: Iterable<string>,
): Promise<Map<string, StoredFile>> {
  const found = new Map<string, StoredFile>();
  const waiting = [...new Set(pathnames)];
  const work = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const object = await store.head(next);
      if (object) found.set(next, object);
    }
  };
  await Promise.all(Array.from({ length: Math.min(TOGETHER, waiting.length) }, work));
  return found;
}
