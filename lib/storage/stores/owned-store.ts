import type { Queries } from '#lib/db/types.ts';
import type { FileStore } from '../file-store.ts';
import { findDatabaseId, ownershipBy, readMarkOf } from '../owner-mark.ts';

/** How long a read mark is trusted; the next deletion reads it again. */
const KNOWN_MS = 10 * 60_000;

/** The store is that of a service at another address, whose database this one is a copy of: nothing of it is deleted from here. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';

  constructor() {
    super('the store belongs to a service at another address, whose database this one is a copy of');
  }
}

/**
 * The same store, with deletions refused where this database is a copy of its owner's. The mark is read at most once in ten minutes, and never
 * for an empty deletion. Throws `CopyRefused`, or the store's error when its owner cannot be read. `elapsedMs`: a monotonic clock.
 */
export function ownedStore(
  store: FileStore,
  by: { kysely: () => Queries; origin: string | null; elapsedMs?: () => number },
): FileStore {
  const { ownerMark } = store;
  if (ownerMark === undefined) return store;
  const elapsedMs = by.elapsedMs ?? (() => performance.now());
  let knownUntilMs = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;
  const ask = async () => {
    const database = await findDatabaseId(by.kysely());
    // One that never named itself has no copy, nor is one.
    const mark = database === null ? null : await readMarkOf(store, ownerMark);
    if (database !== null && ownershipBy(mark, { database, origin: by.origin }) === 'copy')
      throw new CopyRefused();
    knownUntilMs = elapsedMs() + KNOWN_MS;
  };
  return {
    ...store,
    async delete(pathnames, options) {
      if (pathnames.length > 0 && elapsedMs() >= knownUntilMs) {
        asking ??= ask().finally(() => {
          asking = undefined;
        });
        await asking;
      }
      return store.delete(pathnames, options);
    },
  };
}
