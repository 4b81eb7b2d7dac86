import { faultFields } from '#lib/core/faults.ts';
import type { Logger } from '#lib/core/log.ts';
import type { FileStore } from '../file-store.ts';
import { thumbnailPathname } from '../pathnames.ts';
import type { Budget } from './budget.ts';

/** A file as it was when it was decided about: its bytes go only if they are still those, and its thumbnail (`thumbnailAt`) after them. */
export type StoredVersion = { pathname: string; etag: string | null; thumbnailAt?: Date | null };

/** `left`: not tried, the pass had to stop. */
export type Deletion = 'removed' | 'changed' | 'failed' | 'left';

/** How many deletions are under way at once. */
const TOGETHER = 16;

/**
 * Deletes each file on its own, under its ETag, and returns what became of each, in the order given. Never throws: the first fault of
 * the store is logged (`retention.delete_failed`) and given to `onFault`, each is counted.
 */
export async function deleteBytes(
  {
    store,
    budget,
    ctx,
    onFault,
  }: { store: FileStore; budget: Budget; ctx: { log: Logger }; onFault?: (error: unknown) => void },
  files: readonly StoredVersion[],
): Promise<Deletion[]> {
  const results: Deletion[] = files.map(() => 'left');
  let next = 0;
  let isLogged = false;
  const failed = (error: unknown): Deletion => {
    if (!isLogged) {
      ctx.log.warn('retention.delete_failed', faultFields(error));
      onFault?.(error);
    }
    isLogged = true;
    return 'failed';
  };
  const work = async () => {
    while (next < files.length && !budget.isSpent()) {
      const index = next;
      next += 1;
      const result = await budget
        .inTime(conditionalDelete(store, files[index] as StoredVersion))
        .catch(failed);
      budget.storeAnswered(result !== 'failed');
      results[index] = result;
    }
  };
  await Promise.all(Array.from({ length: Math.min(TOGETHER, files.length) }, work));
  return results;
}

async function conditionalDelete(store: FileStore, file: StoredVersion): Promise<Deletion> {
  const result = await deleteFile(store, file);
  // A failed thumbnail fails the file: its row is kept, and the next night tries both again.
  if (result === 'removed' && file.thumbnailAt) await store.delete([thumbnailPathname(file.pathname)]);
  return result;
}

async function deleteFile(store: FileStore, { pathname, etag }: StoredVersion): Promise<Deletion> {
  // Without a recorded ETag, the current one still guards against a concurrent change.
  const ifMatch = etag ?? (await store.head(pathname))?.etag;
  if (ifMatch === undefined) return 'removed';
  return (await store.delete([pathname], { ifMatch })) === 'changed' ? 'changed' : 'removed';
}

/** Whether an object of the store is still the version that was recorded; without a recorded ETag, it is. */
export function isVersion(object: { etag: string }, etag: string | null): boolean {
  const bare = (one: string) => one.replace(/^W\//, '').replaceAll('"', '');
  return etag === null || bare(object.etag) === bare(etag);
}
