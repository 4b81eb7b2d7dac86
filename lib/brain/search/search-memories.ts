import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { quotaExceeded, readPeriod } from '../quota/read-quota.ts';
import { type MemorySource, type PillarRole, type SpaceTemplate, TEMPLATES } from '../templates.ts';
import { SEARCH_MEMORIES } from './candidates-sql.ts';
import { normalizeQueryText, parseQuery, type Query } from './query.ts';
import { type Explanation, rankDocuments } from './score.ts';
import { makeSnippet } from './snippet.ts';

const DEFAULT_SEARCH_LIMIT = 20;
export const MAX_SEARCH_LIMIT = 50;

export type SearchInput = { q: string; spaceId?: string; pillar?: PillarRole; limit?: number };

type Row = {
  id: string;
  spaceId: string;
  spaceName: string;
  template: SpaceTemplate;
  role: PillarRole;
  title: string;
  body: string;
  source: MemorySource;
  updatedAt: Date;
};
type AnswerRow = { granted: boolean; spaceExists: boolean } & { [K in keyof Row]: Row[K] | null };

export type SearchHit = { memory: Row; score: number; explanation: Explanation };

async function find(
  ctx: Context<AccountActor>,
  query: Query,
  input: SearchInput,
  consumes: boolean,
): Promise<SearchHit[]> {
  const now = ctx.clock.now();
  const sought = query.words.filter((word) => !word.minor);
  const rows = await ctx.sql.rows<AnswerRow>('search-memories', SEARCH_MEMORIES, [
    ctx.actor.accountId,
    ...readPeriod(now),
    input.spaceId ?? null,
    input.pillar ?? null,
    sought.map((word) => word.text),
    sought.map((word) => word.stem),
    consumes,
  ]);
  const [first] = rows;
  if (!first?.spaceExists)
    throw new ServiceError('not_found', { message: 'Cet espace est introuvable dans ce compte.' });
  if (!first.granted) throw quotaExceeded(now);
  const memories = rows.flatMap((row) => (row.id === null ? [] : [row as Row]));
  return rankDocuments(query, memories)
    .slice(0, input.limit ?? DEFAULT_SEARCH_LIMIT)
    .map(({ document, score, explanation }) => ({ memory: document, score, explanation }));
}

/**
 * Searches the account's live Memories in one round trip, best first (B-83 to B-90); consumes one read.
 * A shorter `limit` gives the beginning of what a longer one gives. Errors: `not_found` (the Space, archived ones
 * included), `quota_exceeded`.
 */
export async function searchMemories(ctx: Context<AccountActor>, input: SearchInput) {
  const query = parseQuery(input.q);
  const hits = await find(ctx, query, input, true);
  return {
    object: 'list' as const,
    query: normalizeQueryText(input.q),
    data: hits.map(({ memory, score }) => ({
      object: 'search_result' as const,
      spaceId: memory.spaceId,
      spaceName: memory.spaceName,
      memoryId: memory.id,
      pillar: memory.role,
      pillarLabel: TEMPLATES[memory.template].pillars[memory.role].label,
      title: memory.title,
      snippet: makeSnippet(query, memory.body),
      source: memory.source,
      score,
      updatedAt: memory.updatedAt.toISOString(),
    })),
  };
}

/** The same search for a member in the cockpit: whole rows with the reasons of their place, and no read consumed. */
export async function findMemories(
  ctx: Context<AccountActor>,
  input: SearchInput,
): Promise<{ query: Query; hits: SearchHit[] }> {
  const query = parseQuery(input.q);
  return { query, hits: await find(ctx, query, input, false) };
}
