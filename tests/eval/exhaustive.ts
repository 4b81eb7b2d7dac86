import {
  isPresent,
  isStrong,
  type MatchCode,
  matchInside,
  matchStart,
  matchTypo,
  WITH_UNIT,
  WITH_UNIT_PERHAPS,
} from '#lib/brain/search/matching/match.ts';
import { type Level, parseQuery, type Query, type QueryWord } from '#lib/brain/search/matching/query.ts';
import {
  baseScore,
  type Explanation,
  explain,
  type Hit,
  rounded,
  together,
  totalWeight,
  wantedWords,
  weigh,
  weighted,
  worth,
} from '#lib/brain/search/matching/score.ts';
import { MAX_MENTIONS, tokenize } from '#lib/brain/search/matching/terms.ts';
import { type NumberAndUnit, placesTogether } from '#lib/brain/search/matching/units.ts';

/** What the scorer reads of a Memory. */
export type SearchDocument = { id: string; title: string; body: string; updatedAt: Date };

type RankedDocument<D extends SearchDocument> = {
  document: D;
  score: number;
  explanation: Explanation;
};

type Field = { length: number; terms: Int32Array; places: Int32Array };

const MATCH: Record<Level, (word: QueryWord, term: string) => MatchCode> = {
  start: matchStart,
  inside: matchInside,
  typo: matchTypo,
};

/**
 * The oracle of search: scores every document for every query, word by word of its text, with no index and nothing left out. What search answers must be
 * what this answers.
 */
export class ExhaustiveScorer<D extends SearchDocument> {
  readonly #documents: readonly D[];
  readonly #vocabulary: string[] = [];
  readonly #fields: { title: Field; body: Field }[];

  constructor(documents: readonly D[]) {
    this.#documents = documents;
    const numbers = new Map<string, number>();
    const numberOf = (term: string) => {
      let number = numbers.get(term);
      if (number === undefined) {
        number = this.#vocabulary.push(term) - 1;
        numbers.set(term, number);
      }
      return number;
    };
    const read = (text: string): Field => {
      const { terms, places, extras, length } = tokenize(text);
      return {
        length,
        terms: Int32Array.from([...terms, ...extras.map(({ term }) => term)], numberOf),
        places: Int32Array.from([...places, ...extras.map(({ position }) => places[position] as number)]),
      };
    };
    this.#fields = documents.map(({ title, body }) => ({ title: read(title), body: read(body) }));
  }

  /**
   * Best first, the `first` of them or all; equal scores: latest change, then identifier. `isIn` keeps to a part of the documents, whose words alone are then counted.
   */
  rank(
    query: Query,
    isIn: (document: D) => boolean = () => true,
    first = Number.POSITIVE_INFINITY,
  ): RankedDocument<D>[] {
    const words = query.words.map((word) => ({ ...word, level: 'start' as Level, weight: 1 }));
    const own: Query = { ...query, words };
    if (words.length === 0) return [];
    const docs = this.#documents.flatMap((document, index) => (isIn(document) ? [index] : []));
    const hits = docs.map((): (Hit | null)[] => words.map(() => null));
    const counts = words.map(() => 0);
    let sought = [...words.keys()];
    for (const level of ['start', 'inside', 'typo'] as const) {
      this.#look(words, sought, level, docs, hits, counts);
      if (level !== 'start') for (const index of sought) (words[index] as QueryWord).level = level;
      sought = sought.filter((index) => counts[index] === 0 && words[index]?.named === 0);
      if (sought.length === 0) break;
    }
    weigh(own, counts, docs.length);
    const total = totalWeight(own);
    const wanted = wantedWords(own);
    const several = wanted.filter((one) => one).length > 1;
    const scored: {
      document: D;
      score: number;
      found: (Hit | null)[];
      phrase: Explanation['exactPhrase'];
    }[] = [];
    docs.forEach((doc, at) => {
      const found = hits[at] as (Hit | null)[];
      if (found.every((hit) => hit === null)) return;
      const isHeld = (hit: Hit | null) => hit !== null && (isPresent(hit.title) || isPresent(hit.body));
      const { title, body } = this.#fields[doc] as { title: Field; body: Field };
      let sum = 0;
      let inTitle = 0;
      found.forEach((hit, word) => {
        if (!hit) return;
        const value = worth(hit.title, hit.body, hit.bodyPlaces.length, body.length);
        sum += weighted(value, hit.title, (words[word] as QueryWord).weight);
        inTitle += hit.titlePlaces.length;
      });
      const base = baseScore(
        sum,
        total,
        { count: inTitle, length: title.length },
        several && found.every((hit, word) => !wanted[word] || isHeld(hit)),
      );
      const { score, phrase } = together(own, total, found);
      scored.push({ document: this.#documents[doc] as D, score: rounded(base + score), found, phrase });
    });
    // Everything was scored; only those that can be among the first are put in order.
    const scores = Float64Array.from(scored, ({ score }) => -score).sort();
    const least = first < scores.length ? -(scores[first - 1] as number) : Number.NEGATIVE_INFINITY;
    return scored
      .filter(({ score }) => score >= least)
      .sort(
        (a, b) =>
          b.score - a.score ||
          b.document.updatedAt.getTime() - a.document.updatedAt.getTime() ||
          (a.document.id < b.document.id ? -1 : 1),
      )
      .slice(0, first)
      .map(({ document, score, found, phrase }) => ({
        document,
        score,
        explanation: explain(own, found, phrase),
      }));
  }

  #look(
    words: readonly QueryWord[],
    sought: readonly number[],
    level: Level,
    docs: readonly number[],
    hits: (Hit | null)[][],
    counts: number[],
  ): void {
    const match = MATCH[level];
    const codes = sought.map((index) =>
      Uint16Array.from(this.#vocabulary, (term) => match(words[index] as QueryWord, term)),
    );
    const any = new Uint8Array(this.#vocabulary.length);
    for (const one of codes) for (const [term, code] of one.entries()) if (code !== 0) any[term] = 1;
    const apart = sought.map((index) => {
      const all = level === 'start' ? (words[index] as QueryWord).apart : [];
      const numberOf = (term = '') => this.#vocabulary.indexOf(term);
      return all.map((said) => {
        const { number, unit, thousands } = said;
        return { said, number: numberOf(number), unit: numberOf(unit), first: numberOf(thousands?.first) };
      });
    });
    for (const { number } of apart.flat()) if (number >= 0) any[number] = 1;
    const strong = sought.map(() => 0);
    docs.forEach((doc, at) => {
      const fields = this.#fields[doc] as { title: Field; body: Field };
      if (!holdsAny(fields.title, any) && !holdsAny(fields.body, any)) return;
      sought.forEach((index, i) => {
        const withAll = (field: Field) =>
          (apart[i] ?? []).reduce(
            (found, one) => withApart(found, field, one),
            read(field, codes[i] as Uint16Array),
          );
        const [title, body] = [withAll(fields.title), withAll(fields.body)];
        if (title.best === 0 && body.best === 0) return;
        (hits[at] as (Hit | null)[])[index] = {
          title: title.best,
          body: body.best,
          titlePlaces: title.places,
          bodyPlaces: body.places,
        };
        counts[index] = (counts[index] as number) + 1;
        if (isStrong(title.best) || isStrong(body.best)) strong[i] = (strong[i] as number) + 1;
      });
    });
    sought.forEach((index, i) => {
      if ((strong[i] as number) > 0) counts[index] = strong[i] as number;
    });
  }
}

function holdsAny({ terms }: Field, any: Uint8Array): boolean {
  for (let i = 0; i < terms.length; i++) if (any[terms[i] as number] === 1) return true;
  return false;
}

/** The best match of a field and the places of all: of each term the first MAX_MENTIONS, of all together as many. */
function read({ terms, places }: Field, codes: Uint16Array): { best: MatchCode; places: number[] } {
  let best = 0;
  const found: number[] = [];
  for (let i = 0; i < terms.length; i++) {
    const code = codes[terms[i] as number] as number;
    if (code === 0) continue;
    if (code > best) best = code;
    found.push(i);
  }
  // No term has more mentions than all together: few need not be counted term by term.
  if (found.length > MAX_MENTIONS) return { best, places: firstMentions(terms, places, found) };
  const all = found.map((i) => places[i] as number).sort((a, b) => a - b);
  return { best, places: all.filter((place, i) => i === 0 || place !== all[i - 1]) };
}

/** Adds where a number stands right before its unit, for a word that is both at once. */
function withApart(
  found: { best: MatchCode; places: number[] },
  { terms, places }: Field,
  apart: { said: NumberAndUnit; number: number; unit: number; first: number },
): { best: MatchCode; places: number[] } {
  const mentionsOf = (term: number) => {
    const at = [...terms.keys()].filter((i) => terms[i] === term);
    return firstMentions(terms, places, at);
  };
  const together = placesTogether(apart.said, {
    number: mentionsOf(apart.number),
    unit: mentionsOf(apart.unit),
    first: mentionsOf(apart.first),
  });
  if (together.places.length === 0) return found;
  const all = [...new Set([...found.places, ...together.places])].sort((a, b) => a - b);
  const code = together.isSure ? WITH_UNIT : WITH_UNIT_PERHAPS;
  return { best: Math.max(found.best, code), places: all.slice(0, MAX_MENTIONS) };
}

function firstMentions(terms: Int32Array, places: Int32Array, found: readonly number[]): number[] {
  const byTerm = new Map<number, number[]>();
  for (const i of found) {
    const own = byTerm.get(terms[i] as number) ?? [];
    byTerm.set(terms[i] as number, own);
    if (own.length < MAX_MENTIONS && own.at(-1) !== places[i]) own.push(places[i] as number);
  }
  const all = [...new Set([...byTerm.values()].flat())].sort((a, b) => a - b);
  return all.slice(0, MAX_MENTIONS);
}

/** The oracle's answer to a query over a few documents. */
export function rankDocuments<D extends SearchDocument>(
  query: Query,
  documents: readonly D[],
): RankedDocument<D>[] {
  return new ExhaustiveScorer(documents).rank(query);
}

/** The oracle's answer to what was typed. */
export function answer<D extends SearchDocument>(q: string, documents: readonly D[]): RankedDocument<D>[] {
  return rankDocuments(parseQuery(q), documents);
}
