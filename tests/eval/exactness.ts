import { parseQuery } from '#lib/brain/search/matching/query.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import type { Connection } from '#lib/db/connection.ts';
import { drawMemory, drawQueries, seededRandom } from '#tests/bench/search-corpus.ts';
import { type EvalMemory, makeEvalAccount } from './account.ts';
import { ExhaustiveScorer } from './exhaustive.ts';

export type ExactnessRow = { memories: number; queries: number; identical: number; found: number };

const FIRST = 10;

/** What people type, one in eight with two letters that changed places. */
function queries(count: number): string[] {
  return drawQueries(count).map((q, i) => {
    if (i % 8 !== 3) return q;
    const at = Math.max(0, Math.min(q.length - 2, Math.floor(q.length / 2)));
    return q.slice(0, at) + q[at + 1] + q[at] + q.slice(at + 2);
  });
}

/** The first ten of search beside the first ten of the exhaustive scorer, over an account of `memories`. */
export async function compareWithScan(
  connection: Connection,
  memories: number,
  count: number,
): Promise<ExactnessRow> {
  const random = seededRandom(memories);
  const documents: EvalMemory[] = Array.from({ length: memories }, (_, i) => ({
    id: `mem_${memories}_${String(i).padStart(6, '0')}`,
    ...drawMemory(random),
    updatedAt: new Date(Date.UTC(2026, 0, 1) + (i % 5_000) * 60_000),
  }));
  const { ctx } = await makeEvalAccount(connection, `${memories} mémoires`, documents);
  const scorer = new ExhaustiveScorer(documents);
  let identical = 0;
  let found = 0;
  for (const q of queries(count)) {
    const expected = scorer
      .rank(parseQuery(q), undefined, FIRST)
      .map(({ document, score }) => `${document.id} ${score}`);
    const { data } = await searchMemories(ctx, { q, limit: FIRST });
    const got = data.map(({ memoryId, score }) => `${memoryId} ${score}`);
    if (expected.length === got.length && expected.every((one, i) => one === got[i])) identical++;
    if (expected.length > 0) found++;
  }
  return { memories, queries: count, identical, found };
}
