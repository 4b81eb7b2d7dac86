import { cacheBytes } from '#lib/core/resource-limits/cache-bytes.ts';
import type { Queries } from '#lib/db/types.ts';
import { ReadCache } from './read-cache.ts';
import { ListReader } from './read-lists.ts';
import { SegmentReader } from './segments.ts';
import { TextReader } from './texts.ts';

/** Accounts whose segments one process writes anew at once: each holds a connection for a second or more, and a function may have four. */
const RENEWALS_AT_ONCE = 2;

const stores = new WeakMap<Queries, SearchStore>();

/** The process's cache of the index of one database. */
export function storeOf(kysely: Queries): SearchStore {
  let store = stores.get(kysely);
  if (!store) {
    store = new SearchStore(kysely);
    stores.set(kysely, store);
  }
  return store;
}

/**
 * Reads segments and texts through a cache: a segment never changes and a stamp is never reused, so that the cache is never stale and no other
 * instance has to be notified. Access is decided before, by the statement that names the segments.
 */
export class SearchStore {
  readonly #cache = new ReadCache(cacheBytes('searchLists'));
  readonly #pages = new ReadCache(cacheBytes('searchPages'));
  /** Accounts whose segments are being written anew. */
  readonly #renewed = new Set<string>();
  readonly segments: SegmentReader;
  readonly lists: ListReader;
  readonly texts: TextReader;

  constructor(kysely: Queries) {
    this.segments = new SegmentReader(kysely, this.#cache, this.#pages);
    this.lists = new ListReader(this.segments, this.#cache);
    this.texts = new TextReader(kysely, this.#cache);
  }

  /** A value that is immutable under its key, computed once while it is cached. */
  once<T>(key: string, bytes: number, make: () => T): T {
    return this.#cache.get<T>(key) ?? this.#cache.set(key, make(), bytes);
  }

  /**
   * Runs `work`, which rewrites segments of an account, unless this process already does it for this account or for two others: after a
   * deployment every account has outdated ones. Returns whether it ran.
   */
  async renewing(accountId: string, work: () => Promise<unknown>): Promise<boolean> {
    if (this.#renewed.size >= RENEWALS_AT_ONCE || this.#renewed.has(accountId)) return false;
    this.#renewed.add(accountId);
    try {
      await work();
    } finally {
      this.#renewed.delete(accountId);
    }
    return true;
  }

  /** Empties the cache: tests measure the first search again. */
  clear(): void {
    this.#cache.clear();
    this.#pages.clear();
  }
}
