import { LRUCache } from 'lru-cache';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { cacheBytes } from '#lib/core/resource-limits/cache-bytes.ts';
import { type AccountRead, runAccountRead } from '#lib/db/account-read.ts';
import { DEFAULT_SEARCH_LIMIT } from '../limits.ts';
import type { Neighbours } from '../neighbours.ts';
import { giveBackReadOnFailure } from '../quota/give-back-read.ts';
import { type MemorySource, type PillarRole, type SpaceTemplate, TEMPLATES } from '../templates.ts';
import { findRanked, type Scope, scopeRead } from './find.ts';
import { storeOf } from './index/store.ts';
import { TermMatches } from './matching/occurrences.ts';
import { inSlices, Pace } from './matching/pace.ts';
import { normalizeQueryText, type Query, unmatchedWords } from './matching/query.ts';
import { type Explanation, explain } from './matching/score.ts';
import { readFound } from './read-found.ts';
import { makingSnippet } from './snippet.ts';

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
  stamp: string;
};

type SearchHit = { memory: Row & Neighbours; score: number; explanation: Explanation };

async function find(
  ctx: Context<AccountActor>,
  input: SearchInput,
  first: Scope,
): Promise<{ query: Query; hits: SearchHit[] }> {
  const { query, ranked, scope } = await findRanked(
    ctx,
    {
      q: input.q,
      spaceId: input.spaceId,
      roles: input.pillar && [input.pillar],
      limit: input.limit ?? DEFAULT_SEARCH_LIMIT,
    },
    first,
  );
  if (ranked.length === 0) return { query, hits: [] };
  const { texts, neighboursById } = await readFound(ctx, ranked, scope);
  const spaces = new Map(scope.spaces.map(([id, name, template]) => [id, { name, template }]));
  const hits = ranked.flatMap(({ memoryId, score, hits, phrase }) => {
    const text = texts.get(memoryId);
    const space = text && spaces.get(text.spaceId);
    // Deleted since it was ranked: it is no result any more.
    const neighbours = neighboursById.get(memoryId);
    if (!text || !space || !neighbours) return [];
    const memory = { ...text, ...neighbours, spaceName: space.name, template: space.template };
    return [{ memory, score, explanation: explain(query, hits, phrase) }];
  });
  return { query, hits };
}

/** The read that `searchMemories` begins with, to be made in the statement that authenticates its caller. */
export function searchRead(now: Date, input: SearchInput): AccountRead<Scope> {
  return scopeRead(now, { spaceId: input.spaceId, consumes: true });
}

type Answer = {
  object: 'list';
  query: string;
  data: ReturnType<typeof viewHit>[];
  /** Absent when every word was looked for. */
  ignoredWords?: string[];
  /** Absent when every word that was looked for is in some Memory. */
  unmatchedWords?: string[];
};
/** An answer, and the bytes that HTTP sends. */
type Written = { answer: Answer; json: Buffer };
type Known = Written & { state: string };

const CACHE_BYTES = cacheBytes('searchAnswers');
/** Answers of this process, each with the searchable state that it was computed from. */
const answers = new LRUCache<string, Known>({
  maxSize: CACHE_BYTES,
  maxEntrySize: CACHE_BYTES / 8,
});

/**
 * Searches the account's live Memories, best first (B-83 to B-90); consumes one read. `scope` is what `searchRead` read, when it was read
 * already. A shorter `limit` gives the beginning of what a longer one gives. Words beyond the thirtieth are ignored and reported (B-272), and
 * so are words that no Memory holds (B-274). Errors: `not_found` (the Space, archived ones included), `quota_exceeded`.
 */
export async function searchMemories(
  ctx: Context<AccountActor>,
  input: SearchInput,
  scope?: Scope,
): Promise<Answer> {
  return (await search(ctx, input, scope)).answer;
}

/** The same, as JSON already written. */
export async function searchAsJson(
  ctx: Context<AccountActor>,
  input: SearchInput,
  scope?: Scope,
): Promise<Uint8Array> {
  return (await search(ctx, input, scope)).json;
}

async function search(ctx: Context<AccountActor>, input: SearchInput, scope?: Scope): Promise<Written> {
  const first = scope ?? (await runAccountRead(ctx, searchRead(ctx.clock.now(), input)));
  const query = normalizeQueryText(input.q);
  const key = JSON.stringify([
    ctx.actor.accountId,
    ctx.actor.spaces,
    query,
    input.spaceId,
    input.pillar,
    input.limit,
  ]);
  // Whatever changes an answer changes the version of its Space or the searchable state: both are read anew each time.
  const state = JSON.stringify([first.spaces, first.segments, first.dead, first.fresh]);
  const known = answers.get(key);
  if (known?.state === state) return known;
  const answer = await giveBackReadOnFailure(ctx, first.readAt, () => answerAnew(ctx, input, first));
  // Texts are read after the state: a change in between makes another state, so that this answer is never reused.
  const written = { state, answer, json: Buffer.from(JSON.stringify(answer)) };
  answers.set(key, written, { size: 2 * (key.length + state.length) + 3 * written.json.length });
  return written;
}

async function answerAnew(ctx: Context<AccountActor>, input: SearchInput, first: Scope): Promise<Answer> {
  const found = await find(ctx, input, first);
  const pace = new Pace();
  const matches = new TermMatches(found.query);
  const store = storeOf(ctx.kysely);
  const data: Answer['data'] = [];
  for (const hit of found.hits) {
    const { memory } = hit;
    const terms = await store.texts.termsOf(memory, pace);
    const snippet = await inSlices(makingSnippet(found.query, memory.body, matches, terms), pace);
    data.push(viewHit(hit, snippet));
    if (pace.due()) await pace.rest();
  }
  const { ignored, text } = found.query;
  const unmatched = unmatchedWords(found.query);
  return {
    object: 'list',
    query: text,
    data,
    ...(ignored.length > 0 ? { ignoredWords: ignored } : {}),
    ...(unmatched.length > 0 ? { unmatchedWords: unmatched } : {}),
  };
}

function viewHit({ memory, score }: SearchHit, snippet: string) {
  return {
    object: 'search_result' as const,
    spaceId: memory.spaceId,
    spaceName: memory.spaceName,
    memoryId: memory.id,
    pillar: memory.role,
    pillarLabel: TEMPLATES[memory.template].pillars[memory.role].label,
    title: memory.title,
    snippet,
    source: memory.source,
    score,
    updatedAt: memory.updatedAt.toISOString(),
    parent: memory.parent,
    children: memory.children,
    ...(memory.childrenTruncated ? { childrenTruncated: true } : {}),
  };
}

/** The same search for a member in the cockpit: whole rows with the reasons of their place, and no read consumed. */
export async function findMemories(
  ctx: Context<AccountActor>,
  input: SearchInput,
): Promise<{ query: Query; hits: SearchHit[] }> {
  const read = scopeRead(ctx.clock.now(), { spaceId: input.spaceId, consumes: false });
  return find(ctx, input, await runAccountRead(ctx, read));
}
