import { createMatcher, type FieldMatch, type FieldWordMatch, type MatchKind, matchField } from './match.ts';
import type { Query } from './query.ts';

/** What the scorer reads of a Memory. */
export type SearchDocument = { id: string; title: string; body: string; updatedAt: Date };

/** Why a result is where it is, for a person to read. */
export type Explanation = {
  inTitle: boolean;
  inBody: boolean;
  exactPhrase: 'title' | 'body' | null;
  allWords: boolean;
  /** One entry per word of the query, in typed order. */
  words: { word: string; title: MatchKind | null; body: MatchKind | null }[];
};

export type Ranked<D extends SearchDocument> = {
  document: D;
  score: number;
  explanation: Explanation;
};

/** A word in the title is worth at least 5.5, in the body at most 4.8: the title always wins for one word. */
const TITLE = 10;
const BODY = 3;
const BODY_BESIDE_TITLE = 0.4;
const ALL_WORDS = 3;
const PHRASE_IN_TITLE = 4;
const PHRASE_IN_BODY = 2.5;
const TITLE_COVERAGE = 1;
const NEARNESS = 1;
const MINOR_WEIGHT = 0.1;

/** Length of a body, in words, at which one mention is worth exactly BODY. */
const ORDINARY_BODY = 200;
const LONGEST_COUNTED = 2_000;

/** Mentions add up, less and less; a mention in a long text says less than in a short one. At most 1.6. */
function saturation(count: number, length: number): number {
  const lengthFactor = 0.4 + (0.6 * Math.min(length, LONGEST_COUNTED)) / ORDINARY_BODY;
  return (1.6 * count) / (count + 0.6 * lengthFactor);
}

type Scanned<D> = { document: D; title: FieldMatch; body: FieldMatch };

function scan<D extends SearchDocument>(query: Query, inside: ReadonlySet<number>, documents: readonly D[]) {
  const matcher = createMatcher(query, inside);
  return documents.map(
    (document): Scanned<D> => ({
      document,
      title: matchField(matcher, document.title),
      body: matchField(matcher, document.body),
    }),
  );
}

function frequencies<D>(query: Query, scanned: readonly Scanned<D>[]): number[] {
  return query.words.map(
    (_, index) => scanned.filter(({ title, body }) => title.words[index] || body.words[index]).length,
  );
}

/** The rarest word of the query weighs 1, the others less as they are more common. */
function wordWeights(query: Query, counts: readonly number[]): number[] {
  const present = counts.filter((count, index) => count > 0 && !query.words[index]?.minor);
  const rarest = Math.min(...present);
  return query.words.map((word, index) => {
    if (word.minor) return MINOR_WEIGHT;
    const count = counts[index] as number;
    return count === 0 ? 1 : Math.max(0.35, 1 / (1 + 0.3 * Math.log2(count / rarest)));
  });
}

function kindOf(match: FieldWordMatch | null | undefined): MatchKind | null {
  return match?.kind ?? null;
}

function explain<D>(query: Query, { title, body }: Scanned<D>): Explanation {
  const has = (field: FieldMatch) => field.words.some((match, index) => match && !query.words[index]?.minor);
  return {
    inTitle: has(title),
    inBody: has(body),
    exactPhrase: title.phrase ? 'title' : body.phrase ? 'body' : null,
    allWords: query.words.every((word, index) => word.minor || title.words[index] || body.words[index]),
    words: query.words.map((word, index) => ({
      word: word.text,
      title: kindOf(title.words[index]),
      body: kindOf(body.words[index]),
    })),
  };
}

function scoreOf<D>(
  query: Query,
  weights: readonly number[],
  { title, body }: Scanned<D>,
  explanation: Explanation,
): number {
  let sum = 0;
  let total = 0;
  query.words.forEach((word, index) => {
    const weight = weights[index] as number;
    if (!word.minor) total += weight;
    const inTitle = title.words[index];
    const inBody = body.words[index];
    if (inTitle) sum += weight * TITLE * inTitle.quality;
    if (inBody) {
      const share = inTitle ? BODY_BESIDE_TITLE : 1;
      sum += weight * BODY * inBody.quality * saturation(inBody.count, body.length) * share;
    }
  });
  let score = sum / total;
  const majors = query.words.filter((word) => !word.minor).length;
  if (explanation.inTitle) score += (TITLE_COVERAGE * title.matched) / title.length;
  if (majors > 1 && explanation.allWords) score += ALL_WORDS;
  if (title.phrase) score += PHRASE_IN_TITLE;
  else if (body.phrase) score += PHRASE_IN_BODY;
  const span = Math.min(title.span ?? Number.POSITIVE_INFINITY, body.span ?? Number.POSITIVE_INFINITY);
  if (Number.isFinite(span)) score += (NEARNESS * majors) / span;
  return Math.round(score * 1_000) / 1_000;
}

/**
 * Ranks a set of Memories for a query, best first: those that hold none of its words are left out. A word that starts no
 * word of the set is looked for inside words. Equal scores: latest change first, then identifier. The order never depends
 * on how many results are wanted: cut the list afterwards.
 */
export function rankDocuments<D extends SearchDocument>(query: Query, documents: readonly D[]): Ranked<D>[] {
  if (query.words.length === 0) return [];
  let scanned = scan(query, new Set(), documents);
  let counts = frequencies(query, scanned);
  const absent = query.words.flatMap((word, index) => (counts[index] === 0 && !word.minor ? [index] : []));
  if (absent.length > 0) {
    scanned = scan(query, new Set(absent), documents);
    counts = frequencies(query, scanned);
  }
  const weights = wordWeights(query, counts);
  const ranked: Ranked<D>[] = [];
  for (const entry of scanned) {
    const explanation = explain(query, entry);
    if (!explanation.inTitle && !explanation.inBody) continue;
    const score = scoreOf(query, weights, entry, explanation);
    ranked.push({ document: entry.document, score, explanation });
  }
  return ranked.sort(
    (a, b) =>
      b.score - a.score ||
      b.document.updatedAt.getTime() - a.document.updatedAt.getTime() ||
      (a.document.id < b.document.id ? -1 : 1),
  );
}
