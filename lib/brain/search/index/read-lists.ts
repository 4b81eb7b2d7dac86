import { type MatchCode, matchStart, rangeStart } from '../matching/match.ts';
import { inSlices, type Pace } from '../matching/pace.ts';
import type { Level, QueryWord } from '../matching/query.ts';
import type { NumberAndUnit } from '../matching/units.ts';
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
        const others = level === 'start' ? [...word.glued, ...word.also] : [];
        const apart = level === 'start' ? word.apart.map(({ number, unit }) => `${number} ${unit}`) : [];
        const key = ['list', id, level, word.isWhole, word.text, ...others, ...apart].join(':');
        const known = this.#cache.get<MatchList>(key);
        if (known) (rows[row] as (MatchList | null)[])[column] = known;
        else jobs.push({ ...NOTHING_READ, row, column, key, id, header, word });
      }
    if (level === 'start') planStart(jobs);
    else if (jobs.length > 0) await this.#planByDictionary(jobs, level, pace);
    for (let from = 0; from < jobs.length; ) {
      let to = from;
      let pages = 0;
      while (to < jobs.length && (to === from || pages + pagesRead(jobs[to] as Job).length <= PAGES_AT_ONCE))
        pages += pagesRead(jobs[to++] as Job).length;
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
    const wanted = jobs.flatMap((job) => pagesRead(job).map((page) => [job.id, page] as const));
    const read = await this.#segments.pages(wanted);
    for (const { row, column, key, id, header, pages, beginning, others, apart, accept } of jobs) {
      const builder = new ListBuilder(header);
      const pageOf = (page: number) => read.get(pageKey(id, page)) as Buffer;
      for (const page of pages) {
        builder.addPage(pageOf(page), beginning, accept);
        if (pace.due()) await pace.rest();
      }
      for (const { page, term } of others)
        builder.addPage(pageOf(page), Buffer.from(term), (one) => (one === term ? accept(one) : 0));
      for (const { said, number, unit, first } of apart)
        builder.addTogether(said, {
          number: pageOf(number),
          unit: pageOf(unit),
          first: first === null ? null : pageOf(first),
        });
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
  /** Terms that answer the word and begin otherwise (`glued`, `also`), and the page of each. */
  others: { page: number; term: string }[];
  /** The pages of the two terms that the word is when it is written apart; of the first word of its thousands. */
  apart: { said: NumberAndUnit; number: number; unit: number; first: number | null }[];
  accept: (term: string) => MatchCode;
};

const NOTHING_READ: Pick<Job, 'pages' | 'beginning' | 'others' | 'apart' | 'accept'> = {
  pages: [],
  beginning: Buffer.alloc(0),
  others: [],
  apart: [],
  accept: () => 0,
};

function pagesRead({ pages, others, apart }: Job): number[] {
  const ofApart = apart.flatMap(({ number, unit, first }) => [number, unit, first]);
  return [...pages, ...others.map(({ page }) => page), ...ofApart.filter((page) => page !== null)];
}

/** Segments of one account hold much the same terms: each is compared with a word once. */
function planStart(jobs: readonly Job[]): void {
  const accepts = new Map<QueryWord, Job['accept']>();
  for (const job of jobs) {
    const { word, header } = job;
    const beginning = rangeStart(word);
    const range = pagesOf(header, beginning);
    job.pages = range ? Array.from({ length: range[1] - range[0] + 1 }, (_, i) => range[0] + i) : [];
    job.beginning = Buffer.from(beginning);
    job.others = [...new Set([...word.glued, ...word.also])].flatMap((term) => {
      const page = term.startsWith(beginning) ? null : pageOfTerm(header, term);
      return page === null ? [] : [{ page, term }];
    });
    job.apart = word.apart.flatMap((said) => pagesApart(header, said));
    const accept = accepts.get(word) ?? rememberedMatches(word);
    accepts.set(word, accept);
    job.accept = accept;
  }
}

function pagesApart(header: SegmentHeader, said: NumberAndUnit): Job['apart'] {
  const { number, unit, thousands } = said;
  const ofNumber = pageOfTerm(header, number);
  const ofUnit = pageOfTerm(header, unit);
  if (ofNumber === null || ofUnit === null) return [];
  const first = thousands && pageOfTerm(header, thousands.first);
  return [{ said, number: ofNumber, unit: ofUnit, first }];
}

/** The page that holds a term if any does. */
function pageOfTerm(header: SegmentHeader, term: string): number | null {
  return pagesOf(header, term)?.[0] ?? null;
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
