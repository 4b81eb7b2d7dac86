import { totalmem } from 'node:os';
import { LRUCache } from 'lru-cache';

/** Less than what is asked for on a small machine: a thirty-second of its memory, for each 192 MiB. */
const onThisMachine = (bytes: number) =>
  Math.min(bytes, Math.floor((totalmem() / 32) * (bytes / MADE_BYTES)));

/** What one process keeps of lists, texts and terms. */
export const MADE_BYTES = 192 * 2 ** 20;
/** What it keeps of pages: once its lists are made, a page is seldom read again, and must not take their place. */
export const PAGES_BYTES = 32 * 2 ** 20;

type Entry = { value: unknown; bytes: number };

/** What a process keeps of what it read, the least used going first. Keys say what a value is; a value never changes under its key. */
export class Kept {
  readonly #entries: LRUCache<string, Entry>;

  constructor(maxBytes: number) {
    this.#entries = new LRUCache({
      maxSize: onThisMachine(maxBytes),
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
