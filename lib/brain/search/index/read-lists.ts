import { type MatchCode, matchStart, rangeStart } from '../matching/match.ts';
import { inSlices, type Pace } from '../matching/pace.ts';
import type { Level, QueryWord } from '../matching/query.ts';
import { type Dictionary, findingTermsHolding, findingTermsNear } from './dictionary.ts';
import { pagesOf, type SegmentHeader } from './format.ts';
import { ListBuilder, listBytes, type MatchList } from './lists.ts';
import type { ReadCache } from './read-cache.ts';
import { PAGES_AT_ONCE, pageKey, type SegmentReader } from './segments.ts';

/** Reads which Memories of a segment answer a word. */
export class ListReader {
  readonly #segments: SegmentReader;
  readonly #cache: ReadCache;

  constructor(segments: SegmentReader, cache: ReadCache) {
    this.#segments = segments;
    this.#cache = cache;
  }

  /**
   * The Memories of each segment that answer each word at `level`: one row a segment, one list a word; a word that is null was not asked for.
   */
  async of(
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
        const known = this.#cache.get<MatchList>(key);
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
    const dictionaries = await this.#segments.dictionaries(ids, pace);
    const byId = new Map(ids.map((id, i) => [id, dictionaries[i] as Dictionary]));
    const finding = level === 'inside' ? findingTermsHolding : findingTermsNear;
    for (const job of jobs) {
      const found = await inSlices(finding(job.word, byId.get(job.id) as Dictionary), pace);
      const pages = new Set<number>();
      for (const term of found.keys()) {
        pages.add((pagesOf(job.header, term) as [number, number])[0]);
        if (pace.due()) await pace.rest();
      }
      job.pages = [...pages];
      job.accept = (term) => found.get(term) ?? 0;
    }
  }

  async #buildLists(jobs: readonly Job[], rows: (MatchList | null)[][], pace: Pace): Promise<void> {
    const wanted = jobs.flatMap(({ id, pages }) => pages.map((page) => [id, page] as const));
    const read = await this.#segments.pages(wanted);
    for (const { row, column, key, id, header, pages, beginning, accept } of jobs) {
      const builder = new ListBuilder(header);
      for (const page of pages) {
        builder.addPage(read.get(pageKey(id, page)) as Buffer, beginning, accept);
        if (pace.due()) await pace.rest();
      }
      const list = await inSlices(builder.building(), pace);
      (rows[row] as (MatchList | null)[])[column] = this.#cache.set(key, list, listBytes(list));
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
