import { cacheBytes } from '#lib/core/process/cache-bytes.ts';
import type { Queries } from '#lib/db/types.ts';
import { Kept } from './kept.ts';
import { ListReader } from './read-lists.ts';
import { SegmentReader } from './segments.ts';
import { TextReader } from './texts.ts';

const stores = new WeakMap<Queries, SearchStore>();

/** What this process knows of the index of one database. */
export function storeOf(kysely: Queries): SearchStore {
  let store = stores.get(kysely);
  if (!store) {
    store = new SearchStore(kysely);
    stores.set(kysely, store);
  }
  return store;
}

/**
 * Reads segments and texts, and keeps what it read: a segment never changes and a stamp never returns, so what is kept is never wrong, and no other instance has
 * to be told anything. Who may see a segment is decided before, by the statement that names it.
 */
export class SearchStore {
  readonly #kept = new Kept(cacheBytes('searchLists'));
  readonly #pages = new Kept(cacheBytes('searchPages'));
  readonly segments: SegmentReader;
  readonly lists: ListReader;
  readonly texts: TextReader;

  constructor(kysely: Queries) {
    this.segments = new SegmentReader(kysely, this.#kept, this.#pages);
    this.lists = new ListReader(this.segments, this.#kept);
    this.texts = new TextReader(kysely, this.#kept);
  }

  /** A value that never changes under its key, worked out once while it is kept. */
  once<T>(key: string, bytes: number, make: () => T): T {
    return this.#kept.get<T>(key) ?? this.#kept.set(key, make(), bytes);
  }

  /** As a process that has read nothing yet: tests measure the first search again. */
  forget(): void {
    this.#kept.clear();
    this.#pages.clear();
  }
}
