import { LRUCache } from 'lru-cache';

/**
 * Values derived from a Space at one version, the latest used within `maxBytes`; none takes more than a quarter of it. The database says
 * the current version in the same statement that serves the request, so an entry can be absent or old, but never wrongly served: no
 * other instance has to be told.
 */
export class VersionedCache<T> {
  readonly #entries: LRUCache<string, { version: number; value: T }>;

  constructor(maxBytes: number) {
    this.#entries = new LRUCache({ maxSize: maxBytes, maxEntrySize: maxBytes / 4 });
  }

  get(key: string): { version: number; value: T } | undefined {
    return this.#entries.get(key);
  }

  set(key: string, version: number, value: T, bytes: number): void {
    this.#entries.set(key, { version, value }, { size: Math.max(1, bytes) });
  }
}
