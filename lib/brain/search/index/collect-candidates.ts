import { isPresent, type MatchCode } from '../matching/match.ts';
import type { Pace } from '../matching/pace.ts';
import type { Query } from '../matching/query.ts';
import { baseScore, mostTogether, rounded, weighted } from '../matching/score.ts';
import { Bounds, ROUNDING, wordBits } from './bounds.ts';
import { Holders, OpenCandidates, PROBE, type Source, TopK, TopKThreshold } from './candidates.ts';
import type { MatchList } from './lists.ts';

/**
 * The Memories that may be among the `limit` best, by which words they hold and where these were found: no position is read. Those that are passed over score
 * less than `floor` whatever their positions.
 */
export class Candidates {
  /** Those whose score is known: their positions add nothing. */
  readonly best: TopK;
  /** Those to which positions may add. */
  readonly open = new OpenCandidates();
  /** The best scores without positions: as many Memories score at least so much. */
  readonly floor: TopKThreshold;
  readonly #query: Query;
  readonly #total: number;
  readonly #sources: readonly Source[];
  readonly #bits: ReturnType<typeof wordBits>;
  readonly #bounds: Bounds;
  readonly #holders: Holders;
  /** The words, one bit each. */
  readonly #weakestFirst: readonly number[];
  // One for all Memories that are scored: there can be a hundred thousand of them.
  readonly #found = { several: false, wholePhrase: false, inTitle: false };
  readonly #title = { count: 0, length: 0 };
  /** The words whose Memories were all looked at, one bit each. */
  #done = 0;

  /** `total`: what the words of the query weigh together. */
  constructor(query: Query, total: number, sources: readonly Source[], limit: number) {
    this.#query = query;
    this.#total = total;
    this.#sources = sources;
    this.best = new TopK(limit);
    this.floor = new TopKThreshold(limit);
    this.#bits = wordBits(query);
    const bounds = new Bounds(
      query,
      total,
      this.#bits,
      sources.map(({ lists }) => lists),
    );
    this.#bounds = bounds;
    this.#holders = new Holders(query.words.length, Math.max(...sources.map(({ count }) => count)));
    this.#weakestFirst = query.words
      .map((_, index) => 1 << index)
      .sort((a, b) => bounds.of(a) - bounds.of(b));
  }

  /** Goes through the sources, once. */
  async collect(pace: Pace): Promise<void> {
    await this.#collectRareWords(pace);
    await this.#collectFields(pace);
  }

  /** Words that are much rarer first: once enough Memories that hold one score more than any without it could, no other is looked at. */
  async #collectRareWords(pace: Pace): Promise<void> {
    for (const word of muchRarer(this.#query, this.#sources)) {
      const bit = 1 << word;
      for (const [index, source] of this.#sources.entries()) {
        const list = source.lists[word];
        if (!list || list.length === 0) continue;
        this.#holders.read(source, this.#bounds.titleBit, this.#bits.all & ~bit);
        this.#visit(source, index, list.docs, this.#done);
        if (pace.due()) await pace.rest();
      }
      this.#done |= bit;
    }
  }

  /** Then titles: once enough of them score more than any body can, no other Memory is looked at. */
  async #collectFields(pace: Pace): Promise<void> {
    const { titleBit } = this.#bounds;
    for (const field of ['title', 'body'] as const) {
      for (const [index, source] of this.#sources.entries()) {
        if (this.#bounds.without(this.#done, field) < this.floor.least) break;
        const weak = field === 'title' ? this.#done : this.#weakWords() | this.#done;
        const docs = source.lists.flatMap((list, word) =>
          list && (weak & (1 << word)) === 0 ? [field === 'title' ? list.titleDocs : list.docs] : [],
        );
        if (docs.every(({ length }) => length === 0)) continue;
        this.#holders.read(source, titleBit, weak);
        const passed = field === 'title' ? this.#done : this.#done | titleBit;
        for (const some of docs) this.#visit(source, index, some, passed);
        if (pace.due()) await pace.rest();
      }
    }
  }

  /** The words, one bit each, that together do not bring a body in: whoever holds no other is passed over unseen. */
  #weakWords(): number {
    let weak = 0;
    for (const bit of this.#weakestFirst) {
      if (this.#bounds.of(weak | bit) >= this.floor.least) break;
      weak |= bit;
    }
    return weak;
  }

  /** Those of `docs` that hold none of the words of `passed`, one bit each, once each. */
  #visit(source: Source, index: number, docs: Int32Array, passed: number): void {
    const { excluded } = source;
    const { seen } = this.#holders;
    for (let i = 0; i < docs.length; i++) {
      const doc = docs[i] as number;
      const held = seen[doc] as number;
      if (held === 0 || (excluded !== null && excluded[doc] === 1)) continue;
      seen[doc] = 0;
      if ((held & passed) === 0 && this.#bounds.of(held) >= this.floor.least)
        this.#consider(source, index, doc, held);
    }
  }

  /** Scores one Memory without its positions: it is open when they may add to that, and is offered to `best` as it is otherwise. */
  #consider(source: Source, index: number, doc: number, held: number): void {
    const { lists } = source;
    const { wanted, phrase, hasSeveral, hasPhrase } = this.#bits;
    const found = this.#found;
    const title = this.#title;
    const mask = held & (this.#bounds.titleBit - 1);
    let sum = 0;
    let weight = 0;
    let holdsAll = hasSeveral && (mask & wanted) === wanted;
    title.count = 0;
    for (let word = 0; word < lists.length; word++) {
      if ((mask & (1 << word)) === 0) continue;
      const list = lists[word] as MatchList;
      const at = this.#holders.at(word, doc);
      const own = (this.#query.words[word] as Query['words'][number]).weight;
      sum += weighted(list.value[at] as number, list.title[at] as MatchCode, own);
      weight += own;
      title.count += list.titleCount[at] as number;
      if (holdsAll && (wanted & (1 << word)) !== 0)
        holdsAll = isPresent(list.title[at] as MatchCode) || isPresent(list.body[at] as MatchCode);
    }
    title.length = source.titleLength[doc] as number;
    const base = baseScore(sum, this.#total, title, holdsAll);
    found.several = (mask & (mask - 1)) !== 0;
    found.wholePhrase = hasPhrase && (mask & phrase) === phrase;
    if (found.several || found.wholePhrase) {
      found.inTitle = title.count > 0;
      const most = base + mostTogether(weight / this.#total, found) + ROUNDING;
      if (rounded(most) < this.floor.least) return;
      this.floor.offer(rounded(base));
      this.open.push(index, doc, base, most);
    } else {
      const score = rounded(base);
      if (score < this.floor.least) return;
      this.floor.offer(score);
      this.best.offer(score, source, index, doc);
    }
  }
}

/**
 * The words of a query, the rarest first, whose Memories are looked at before all others: going through the lists of the words that come after costs more than
 * looking for the Memories of one in them.
 */
function muchRarer(query: Query, sources: readonly Source[]): number[] {
  const lengths = query.words.map((_, word) =>
    sources.reduce((sum, { lists }) => sum + (lists[word]?.length ?? 0), 0),
  );
  const words = [...lengths.keys()]
    .filter((word) => (lengths[word] as number) > 0)
    .sort((a, b) => (lengths[a] as number) - (lengths[b] as number));
  let after = lengths.reduce((sum, length) => sum + length, 0);
  const end = words.findIndex((word) => {
    const own = lengths[word] as number;
    after -= own;
    return own * PROBE > after;
  });
  return words.slice(0, end);
}
