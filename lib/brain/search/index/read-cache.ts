import { LRUCache } from 'lru-cache';

type Entry = { value: unknown; bytes: number };

/** A cache of what a process read, by the least recently used, bounded in bytes. A value never changes under its key: nothing is ever invalidated. */
export class ReadCache {
  readonly #entries: LRUCache<string, Entry>;

  constructor(maxBytes: number) {
    this.#entries = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ bytes }) => Math.max(1, bytes),
    });
  }

  get<T>(key: string): T | undefined {
    return this.#entries.get(key)?.value as T | undefined;
  }

  /** Caches a value of so many bytes, and returns it. */
  set<T>(key: string, value: T, bytes: number): T {
    this.#entries.set(key, { value, bytes });
    return value;
  }

  clear(): void {
    this.#entries.clear();
  }
}
