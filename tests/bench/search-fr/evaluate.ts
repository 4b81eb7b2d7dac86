import { create, insertMultiple, search as oramaSearch } from '@orama/orama';
import { language, stemmer } from '@orama/stemmers/french';
import MiniSearch from 'minisearch';
import { fold } from '#lib/brain/search/matching/fold.ts';
import { parseQuery } from '#lib/brain/search/matching/query.ts';
import { ExhaustiveScorer } from '#tests/eval/exhaustive.ts';
import { CORPUS } from './corpus.ts';
import { QUERIES, QUERY_KINDS, type QueryKind } from './queries.ts';

/** Answers a query with the keys of the Memories found, best first. */
type Engine = (q: string) => Promise<readonly string[]> | readonly string[];

export type Metrics = {
  /** Share of the positive queries whose first result is an expected one. */
  success1: number;
  mrr10: number;
  /** Share of the negative queries that return nothing. */
  silence: number;
  byKind: Partial<Record<QueryKind, number>>;
  missed: { q: string; expected: readonly string[]; got: string | undefined }[];
};

/** Runs the whole query set through an engine. */
export async function evaluate(engine: Engine): Promise<Metrics> {
  const tally = new Map<QueryKind, { count: number; hits: number }>();
  let reciprocal = 0;
  const missed: Metrics['missed'] = [];
  for (const { q, expected, kind } of QUERIES) {
    const keys = (await engine(q)).slice(0, 10);
    const entry = tally.get(kind) ?? { count: 0, hits: 0 };
    tally.set(kind, entry);
    entry.count++;
    const rank = keys.findIndex((key) => expected.includes(key));
    const success = kind === 'negative' ? keys.length === 0 : rank === 0;
    if (success) entry.hits++;
    else missed.push({ q, expected, got: keys[0] });
    if (kind !== 'negative' && rank >= 0) reciprocal += 1 / (rank + 1);
  }
  const positives = QUERIES.filter(({ kind }) => kind !== 'negative').length;
  const hits = [...tally].reduce((sum, [kind, entry]) => (kind === 'negative' ? sum : sum + entry.hits), 0);
  const share = ({ count, hits }: { count: number; hits: number }) => hits / count;
  return {
    success1: hits / positives,
    mrr10: reciprocal / positives,
    silence: share(tally.get('negative') as { count: number; hits: number }),
    byKind: Object.fromEntries(
      QUERY_KINDS.map((kind) => [kind, share(tally.get(kind) as { count: number; hits: number })]),
    ),
    missed,
  };
}

/** Every Memory of the corpus has its own day, so that ties are settled the same way everywhere. */
export const updatedAtOf = (index: number) => new Date(Date.UTC(2025, 0, 1) + index * 86_400_000);

/** Our scorer over the whole corpus, without a database. */
export function ourEngine(): Engine {
  const documents = CORPUS.map((memory, index) => ({
    ...memory,
    id: memory.key,
    updatedAt: updatedAtOf(index),
  }));
  const scorer = new ExhaustiveScorer(documents);
  return (q) => scorer.rank(parseQuery(q)).map(({ document }) => document.key);
}

/** MiniSearch as its documentation advises for typing: prefix search, title boosted; optionally with our fold. */
function miniSearchEngine(options: { folded: boolean; fuzzy?: boolean }): Engine {
  const index = new MiniSearch({
    idField: 'key',
    fields: ['title', 'body'],
    searchOptions: { prefix: true, boost: { title: 2 }, ...(options.fuzzy ? { fuzzy: 0.2 } : {}) },
    ...(options.folded
      ? {
          tokenize: (text: string) => fold(text).split(' ').filter(Boolean),
          processTerm: (term: string) => term,
        }
      : {}),
  });
  index.addAll([...CORPUS]);
  return (q) => index.search(q).map(({ id }) => id as string);
}

/** Orama with its French tokenizer, with or without its stemmer, or with our fold in its place; title boosted. */
async function oramaEngine(options: { folded?: boolean; stemmed?: boolean }): Promise<Engine> {
  const tokenize = (text: string) => fold(text).split(' ').filter(Boolean);
  const index = create({
    schema: { key: 'string', title: 'string', body: 'string' } as const,
    components: {
      tokenizer: options.folded
        ? { language: 'french', normalizationCache: new Map(), tokenize }
        : options.stemmed
          ? { language, stemming: true, stemmer }
          : { language: 'french', stemming: false },
    },
  });
  await insertMultiple(
    index,
    CORPUS.map(({ key, title, body }) => ({ key, title, body })),
  );
  return async (q) => {
    const found = await oramaSearch(index, {
      term: q,
      properties: ['title', 'body'],
      boost: { title: 2 },
      limit: 10,
    });
    return found.hits.map(({ document }) => document.key as string);
  };
}

/** Every peer of the comparison. */
export async function peerEngines(): Promise<Record<string, Engine>> {
  return {
    'MiniSearch (default)': miniSearchEngine({ folded: false }),
    'MiniSearch (our fold)': miniSearchEngine({ folded: true }),
    'MiniSearch (our fold, fuzzy)': miniSearchEngine({ folded: true, fuzzy: true }),
    'Orama (french)': await oramaEngine({}),
    'Orama (french, stemmed)': await oramaEngine({ stemmed: true }),
    'Orama (our fold)': await oramaEngine({ folded: true }),
  };
}

/** One line per engine, for a person. */
export function formatMetrics(results: Record<string, Metrics>): string {
  const percent = (value: number) => `${(100 * value).toFixed(1)} %`.padStart(8);
  const lines = Object.entries(results).map(
    ([name, { success1, mrr10, silence }]) =>
      `${name.padEnd(30)} ${percent(success1)}   ${mrr10.toFixed(3)}   ${percent(silence)}`,
  );
  return [
    `${CORPUS.length} Memories, ${QUERIES.length} queries`,
    `${''.padEnd(30)} Success@1   MRR@10   negatives silent`,
    ...lines,
  ].join('\n');
}
