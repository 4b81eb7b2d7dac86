import { totalmem } from 'node:os';
import { LRUCache } from 'lru-cache';
import type { Queries } from '#lib/db/types.ts';
import type { MemorySource, PillarRole } from '../../templates.ts';
import { type MatchCode, matchStart, rangeStart } from '../matching/match.ts';
import { inSlices, type Pace } from '../matching/pace.ts';
import type { Level, QueryWord } from '../matching/query.ts';
import {
  type AnalysedMemory,
  analysingMemory,
  bytesOfTerms,
  readingTerms,
  type TextTerms,
} from '../matching/terms.ts';
import { type Dictionary, makeDictionary, termsHolding, termsNear } from './dictionary.ts';
import { decodeHeader, pagesOf, type SegmentHeader } from './format.ts';
import { ListBuilder, listBytes, type MatchList } from './lists.ts';
import { readDictionaries, readHeaders, readPages, readTexts } from './statements.ts';

/** A Memory that is in no segment yet. */
export type FreshMemory = {
  id: string;
  stamp: string;
  spaceId: string;
  role: PillarRole;
  updatedAt: number;
  analysed: AnalysedMemory;
};

/** A Memory as a result shows it. */
export type MemoryText = {
  id: string;
  spaceId: string;
  role: PillarRole;
  title: string;
  body: string;
  source: MemorySource;
  updatedAt: Date;
  /** Under which it is what it is. */
  stamp: string;
};

type Cached = { value: unknown; bytes: number };

/** A segment was replaced between the statement that named it and the one that reads it: what there is now has to be asked again. */
export class SegmentGone extends Error {}

/** Bytes that one process keeps of what it read from the index: less on a small machine. */
const CACHE_BYTES = Math.min(192 * 2 ** 20, Math.floor(totalmem() / 32));
/** Texts and pages asked in one statement. */
const TEXTS_AT_ONCE = 64;
const PAGES_AT_ONCE = 256;

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
 * Reads segments, and keeps what it read: they never change, so what is kept is never wrong, and no other instance has to be told anything. Who may
 * see a segment is decided before, by the statement that names it.
 */
export class SearchStore {
  readonly #kysely: Queries;
  readonly #cache = new LRUCache<string, Cached>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ bytes }) => Math.max(1, bytes),
  });

  constructor(kysely: Queries) {
    this.#kysely = kysely;
  }

  #get<T>(key: string): T | undefined {
    return this.#cache.get(key)?.value as T | undefined;
  }

  /** As a process that has read nothing yet: tests measure the first search again. */
  forget(): void {
    this.#cache.clear();
  }

  #set<T>(key: string, value: T, bytes: number): T {
    this.#cache.set(key, { value, bytes });
    return value;
  }

  async headers(ids: readonly number[], pace: Pace): Promise<SegmentHeader[]> {
    return this.#ofSegments('header', ids, pace, async (missing) =>
      (await readHeaders.all(this.#kysely, { ids: missing })).map(({ id, header }) => ({
        id,
        bytes: header.length * 2,
        make: () => decodeHeader(toBuffer(header)),
      })),
    );
  }

  async #dictionaries(ids: readonly number[], pace: Pace): Promise<Dictionary[]> {
    return this.#ofSegments('dictionary', ids, pace, async (missing) =>
      (await readDictionaries.all(this.#kysely, { ids: missing })).map(({ id, dictionary }) => ({
        id,
        bytes: dictionary.length * 4,
        make: () => {
          const terms = toBuffer(dictionary).toString().split('\n');
          return makeDictionary(terms);
        },
      })),
    );
  }

  /** One thing of each segment, in their order. */
  async #ofSegments<T>(
    kind: string,
    ids: readonly number[],
    pace: Pace,
    read: (missing: number[]) => Promise<{ id: number; bytes: number; make: () => T }[]>,
  ): Promise<T[]> {
    const found = new Map<number, T>();
    for (const id of ids) {
      const known = this.#get<T>(`${kind}:${id}`);
      if (known !== undefined) found.set(id, known);
    }
    const missing = ids.filter((id) => !found.has(id));
    for (let from = 0; from < missing.length; from += 16) {
      for (const { id, bytes, make } of await read(missing.slice(from, from + 16))) {
        found.set(id, this.#set(`${kind}:${id}`, make(), bytes));
        if (pace.due()) await pace.rest();
      }
    }
    return ids.map((id) => {
      const value = found.get(id);
      if (value === undefined) throw new SegmentGone();
      return value;
    });
  }

  /** The Memories that are in no segment, each under the stamp given or a later one; those deleted meanwhile are left out. */
  async fresh(
    accountId: string,
    wanted: readonly (readonly [id: string, stamp: string, ...unknown[]])[],
    pace: Pace,
  ): Promise<FreshMemory[]> {
    const known = wanted.map(([, stamp]) => this.#get<FreshMemory>(`fresh:${stamp}`));
    const missing = wanted.flatMap(([id], i) => (known[i] ? [] : [id]));
    const read = new Map<string, FreshMemory>();
    for (let from = 0; from < missing.length; from += TEXTS_AT_ONCE) {
      const ids = missing.slice(from, from + TEXTS_AT_ONCE);
      for (const row of await this.#readTexts(accountId, ids)) {
        const { stamp, bytes } = row;
        const memory: FreshMemory = {
          id: row.id,
          stamp,
          spaceId: row.spaceId,
          role: row.role,
          updatedAt: row.updatedAt.getTime(),
          analysed: await inSlices(analysingMemory(row.title, row.body), pace),
        };
        read.set(row.id, this.#set(`fresh:${stamp}`, memory, bytes * 12 + 500));
        if (pace.due()) await pace.rest();
      }
    }
    return wanted.flatMap(([id], i) => known[i] ?? read.get(id) ?? []);
  }

  /** Those of the texts that this process read. */
  knownTexts(wanted: readonly { memoryId: string; stamp: string }[]): Map<string, MemoryText> {
    const found = new Map<string, MemoryText>();
    for (const { memoryId, stamp } of wanted) {
      const known = this.#get<MemoryText>(`text:${stamp}`);
      if (known) found.set(memoryId, known);
    }
    return found;
  }

  /** The texts of Memories, each as it is under the stamp given or a later one; those deleted meanwhile are left out. */
  async texts(
    accountId: string,
    wanted: readonly { memoryId: string; stamp: string }[],
  ): Promise<Map<string, MemoryText>> {
    const found = this.knownTexts(wanted);
    const ids = wanted.flatMap(({ memoryId }) => (found.has(memoryId) ? [] : [memoryId]));
    if (ids.length > 0) for (const text of await this.#readTexts(accountId, ids)) found.set(text.id, text);
    return found;
  }

  async #readTexts(accountId: string, ids: string[]) {
    const rows = await readTexts.all(this.#kysely, { accountId, ids });
    for (const { bytes, segmentId: _, ...text } of rows)
      this.#set<MemoryText>(`text:${text.stamp}`, text, bytes * 2 + 500);
    return rows;
  }

  /** The terms of the body of a Memory. */
  async termsOf({ stamp, body }: Pick<MemoryText, 'stamp' | 'body'>, pace: Pace): Promise<TextTerms> {
    const key = `terms:${stamp}`;
    const known = this.#get<TextTerms>(key);
    if (known) return known;
    const terms = await inSlices(readingTerms(body), pace);
    return this.#set(key, terms, bytesOfTerms(terms));
  }

  /**
   * The Memories of each segment that answer each word at `level`: one row a segment, one list a word; a word that is null was not asked for.
   */
  async lists(
    segments: readonly { id: number; header: SegmentHeader }[],
    words: readonly (QueryWord | null)[],
    level: Level,
    pace: Pace,
  ): Promise<(MatchList | null)[][]> {
    const rows = segments.map(() => words.map((): MatchList | null => null));
    const jobs: Job[] = [];
    for (const [row, { id, header }] of segments.entries())
      for (const [column, word] of words.entries()) {
        if (!word) continue;
        const key = `list:${id}:${level}:${word.text}`;
        const known = this.#get<MatchList>(key);
        if (known) (rows[row] as (MatchList | null)[])[column] = known;
        else jobs.push({ row, column, key, id, header, word, pages: [], beginning: EMPTY, accept: () => 0 });
      }
    if (level === 'start') planStart(jobs);
    else if (jobs.length > 0) await this.#planByDictionary(jobs, level, pace);
    for (let from = 0; from < jobs.length; ) {
      let to = from;
      let pages = 0;
      while (to < jobs.length && (to === from || pages + (jobs[to] as Job).pages.length <= PAGES_AT_ONCE))
        pages += (jobs[to++] as Job).pages.length;
      await this.#buildLists(jobs.slice(from, to), rows, pace);
      from = to;
    }
    return rows;
  }

  async #planByDictionary(jobs: readonly Job[], level: Level, pace: Pace): Promise<void> {
    const ids = [...new Set(jobs.map(({ id }) => id))];
    const dictionaries = await this.#dictionaries(ids, pace);
    const byId = new Map(ids.map((id, i) => [id, dictionaries[i] as Dictionary]));
    for (const job of jobs) {
      const found = (level === 'inside' ? termsHolding : termsNear)(job.word, byId.get(job.id) as Dictionary);
      const pages = new Set<number>();
      for (const term of found.keys()) pages.add((pagesOf(job.header, term) as [number, number])[0]);
      job.pages = [...pages];
      job.accept = (term) => found.get(term) ?? 0;
      if (pace.due()) await pace.rest();
    }
  }

  async #buildLists(jobs: readonly Job[], rows: (MatchList | null)[][], pace: Pace): Promise<void> {
    const pages = new Map<string, Buffer>();
    const missing = new Map<string, [number, number]>();
    for (const { id, pages: numbers } of jobs)
      for (const page of numbers) {
        const key = `page:${id}:${page}`;
        const known = this.#get<Buffer>(key);
        if (known) pages.set(key, known);
        else missing.set(key, [id, page]);
      }
    const wanted = [...missing.values()];
    for (let from = 0; from < wanted.length; from += PAGES_AT_ONCE) {
      const some = wanted.slice(from, from + PAGES_AT_ONCE);
      const read = await readPages.all(this.#kysely, {
        segments: some.map(([id]) => id),
        pages: some.map(([, page]) => page),
      });
      if (read.length < some.length) throw new SegmentGone();
      for (const { segmentId, page, data } of read) {
        const key = `page:${segmentId}:${page}`;
        pages.set(key, this.#set(key, toBuffer(data), data.length));
      }
    }
    for (const { row, column, key, id, header, pages: numbers, beginning, accept } of jobs) {
      const builder = new ListBuilder(header);
      for (const page of numbers) {
        builder.addPage(pages.get(`page:${id}:${page}`) as Buffer, beginning, accept);
        if (pace.due()) await pace.rest();
      }
      const list = builder.build();
      (rows[row] as (MatchList | null)[])[column] = this.#set(key, list, listBytes(list));
      if (pace.due()) await pace.rest();
    }
  }
}

type Job = {
  row: number;
  column: number;
  key: string;
  id: number;
  header: SegmentHeader;
  word: QueryWord;
  pages: number[];
  /** UTF-8 with which a term must begin. */
  beginning: Buffer;
  accept: (term: string) => MatchCode;
};

const EMPTY = Buffer.alloc(0);

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Segments of one account hold much the same terms: each is compared with a word once. */
function planStart(jobs: readonly Job[]): void {
  const accepts = new Map<QueryWord, Job['accept']>();
  for (const job of jobs) {
    const { word, header } = job;
    const beginning = rangeStart(word);
    const range = pagesOf(header, beginning);
    if (range) for (let page = range[0]; page <= range[1]; page++) job.pages.push(page);
    job.beginning = Buffer.from(beginning);
    const accept = accepts.get(word) ?? rememberedMatches(word);
    accepts.set(word, accept);
    job.accept = accept;
  }
}

function rememberedMatches(word: QueryWord): Job['accept'] {
  const known = new Map<string, MatchCode>();
  return (term) => {
    let match = known.get(term);
    if (match === undefined) {
      match = matchStart(word, term);
      known.set(term, match);
    }
    return match;
  };
}
