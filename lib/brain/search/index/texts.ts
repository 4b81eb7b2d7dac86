import type { Queries } from '#lib/db/types.ts';
import type { MemorySource, PillarRole } from '../../templates.ts';
import { inSlices, type Pace } from '../matching/pace.ts';
import {
  type AnalysedMemory,
  analysingMemory,
  bytesOfTerms,
  readingTerms,
  type TextTerms,
} from '../matching/terms.ts';
import type { ReadCache } from './read-cache.ts';
import { readTexts } from './statements.ts';

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

/** Texts asked in one statement. */
const TEXTS_AT_ONCE = 64;

/** Reads the texts of Memories, and the terms of those that no segment holds or that a result quotes. */
export class TextReader {
  readonly #kysely: Queries;
  readonly #cache: ReadCache;

  constructor(kysely: Queries, cache: ReadCache) {
    this.#kysely = kysely;
    this.#cache = cache;
  }

  /** The Memories that are in no segment, each under the stamp given or a later one; those deleted meanwhile are left out. */
  async fresh(
    accountId: string,
    wanted: readonly (readonly [id: string, stamp: string, ...unknown[]])[],
    pace: Pace,
  ): Promise<FreshMemory[]> {
    const known = wanted.map(([, stamp]) => this.#cache.get<FreshMemory>(`fresh:${stamp}`));
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
        read.set(row.id, this.#cache.set(`fresh:${stamp}`, memory, bytes * 12 + 500));
        if (pace.due()) await pace.rest();
      }
    }
    return wanted.flatMap(([id], i) => known[i] ?? read.get(id) ?? []);
  }

  /** Those of the texts that this process read. */
  known(wanted: readonly { memoryId: string; stamp: string }[]): Map<string, MemoryText> {
    const found = new Map<string, MemoryText>();
    for (const { memoryId, stamp } of wanted) {
      const known = this.#cache.get<MemoryText>(`text:${stamp}`);
      if (known) found.set(memoryId, known);
    }
    return found;
  }

  /** The texts of Memories, each as it is under the stamp given or a later one; those deleted meanwhile are left out. */
  async of(
    accountId: string,
    wanted: readonly { memoryId: string; stamp: string }[],
  ): Promise<Map<string, MemoryText>> {
    const found = this.known(wanted);
    const ids = wanted.flatMap(({ memoryId }) => (found.has(memoryId) ? [] : [memoryId]));
    if (ids.length > 0) for (const text of await this.#readTexts(accountId, ids)) found.set(text.id, text);
    return found;
  }

  async #readTexts(accountId: string, ids: string[]) {
    const rows = await readTexts.all(this.#kysely, { accountId, ids });
    for (const { bytes, segmentId: _, ...text } of rows)
      this.#cache.set<MemoryText>(`text:${text.stamp}`, text, bytes * 2 + 500);
    return rows;
  }

  /** The terms of the body of a Memory. */
  async termsOf({ stamp, body }: Pick<MemoryText, 'stamp' | 'body'>, pace: Pace): Promise<TextTerms> {
    const key = `terms:${stamp}`;
    const known = this.#cache.get<TextTerms>(key);
    if (known) return known;
    const terms = await inSlices(readingTerms(body), pace);
    return this.#cache.set(key, terms, bytesOfTerms(terms));
  }
}
