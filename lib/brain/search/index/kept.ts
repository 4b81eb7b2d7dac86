import { LRUCache } from 'lru-cache';

type Entry = { value: unknown; bytes: number };

/** What a process keeps of what it read, the least used going first. Keys say what a value is; a value never changes under its key. */
export class Kept {
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

  /** Keeps a value of so many bytes, and gives it back. */
  set<T>(key: string, value: T, bytes: number): T {
    this.#entries.set(key, { value, bytes });
    return value;
  }

  clear(): void {
    this.#entries.clear();
  }
}
