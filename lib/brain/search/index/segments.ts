import type { Queries } from '#lib/db/types.ts';
import { inSlices, type Pace } from '../matching/pace.ts';
import { type Dictionary, readingDictionary } from './dictionary.ts';
import { decodeHeader, type SegmentHeader } from './format.ts';
import type { ReadCache } from './read-cache.ts';
import { readDictionaries, readHeaders, readPages } from './statements.ts';

/** A segment was replaced between the statement that named it and the one that reads it: the scope must be read again. */
export class SegmentGone extends Error {}

/** Segments and pages asked in one statement. */
const SEGMENTS_AT_ONCE = 16;
export const PAGES_AT_ONCE = 256;

/** Something of one segment, and what it takes in memory. */
type Read<T> = { id: number; bytes: number; value: T };

/** Reads segments: headers, terms and pages. All throw SegmentGone. */
export class SegmentReader {
  readonly #kysely: Queries;
  readonly #cache: ReadCache;
  readonly #pages: ReadCache;

  constructor(kysely: Queries, cache: ReadCache, pages: ReadCache) {
    this.#kysely = kysely;
    this.#cache = cache;
    this.#pages = pages;
  }

  /** The headers of segments, in their order. */
  async headers(ids: readonly number[], pace: Pace): Promise<SegmentHeader[]> {
    return this.#ofSegments('header', ids, async (missing) => {
      const read: Read<SegmentHeader>[] = [];
      for (const { id, header } of await readHeaders.all(this.#kysely, { ids: missing })) {
        read.push({ id, bytes: header.length * 2, value: decodeHeader(toBuffer(header)) });
        if (pace.due()) await pace.rest();
      }
      return read;
    });
  }

  /** The terms of segments, in their order. */
  async dictionaries(ids: readonly number[], pace: Pace): Promise<Dictionary[]> {
    return this.#ofSegments('dictionary', ids, async (missing) => {
      const read: Read<Dictionary>[] = [];
      for (const { id, dictionary } of await readDictionaries.all(this.#kysely, { ids: missing })) {
        const value = await inSlices(readingDictionary(toBuffer(dictionary)), pace);
        read.push({ id, bytes: dictionary.length * 4, value });
      }
      return read;
    });
  }

  /** One thing of each segment, in their order. */
  async #ofSegments<T>(
    kind: string,
    ids: readonly number[],
    read: (missing: number[]) => Promise<Read<T>[]>,
  ): Promise<T[]> {
    const found = new Map<number, T>();
    for (const id of ids) {
      const known = this.#cache.get<T>(`${kind}:${id}`);
      if (known !== undefined) found.set(id, known);
    }
    const missing = ids.filter((id) => !found.has(id));
    for (let from = 0; from < missing.length; from += SEGMENTS_AT_ONCE)
      for (const { id, bytes, value } of await read(missing.slice(from, from + SEGMENTS_AT_ONCE)))
        found.set(id, this.#cache.set(`${kind}:${id}`, value, bytes));
    return ids.map((id) => {
      const value = found.get(id);
      if (value === undefined) throw new SegmentGone();
      return value;
    });
  }

  /** Pages of segments, by `pageKey`. */
  async pages(wanted: Iterable<readonly [segment: number, page: number]>): Promise<Map<string, Buffer>> {
    const pages = new Map<string, Buffer>();
    const missing = new Map<string, readonly [number, number]>();
    for (const [id, page] of wanted) {
      const key = pageKey(id, page);
      const known = this.#pages.get<Buffer>(key);
      if (known) pages.set(key, known);
      else missing.set(key, [id, page]);
    }
    const unread = [...missing.values()];
    for (let from = 0; from < unread.length; from += PAGES_AT_ONCE) {
      const some = unread.slice(from, from + PAGES_AT_ONCE);
      const read = await readPages.all(this.#kysely, {
        segments: some.map(([id]) => id),
        pages: some.map(([, page]) => page),
      });
      if (read.length < some.length) throw new SegmentGone();
      for (const { segmentId, page, data } of read) {
        const key = pageKey(segmentId, page);
        pages.set(key, this.#pages.set(key, toBuffer(data), data.length));
      }
    }
    return pages;
  }
}

/** Names a page in what `pages` gives. */
export const pageKey = (segment: number, page: number): string => `page:${segment}:${page}`;

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
