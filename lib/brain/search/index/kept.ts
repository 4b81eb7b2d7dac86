import { totalmem } from 'node:os';
import { LRUCache } from 'lru-cache';

/** Bytes that one process keeps of what it read from the index: less on a small machine. */
const CACHE_BYTES = Math.min(192 * 2 ** 20, Math.floor(totalmem() / 32));

type Entry = { value: unknown; bytes: number };

/** What a process keeps of what it read, the least used going first. Keys say what a value is; a value never changes under its key. */
export class Kept {
  readonly #entries = new LRUCache<string, Entry>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes),
  });

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
