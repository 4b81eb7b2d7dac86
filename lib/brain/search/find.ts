import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { faultFields } from '#lib/core/faults.ts';
import { timeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { type AccountRead, runAccountRead } from '#lib/db/account-read.ts';
import { spaceNotFound } from '../not-found.ts';
import { quotaExceeded, readPeriodOf } from '../quota/read-quota.ts';
import type { PillarRole } from '../templates.ts';
import { inScope, searchedOf } from './in-scope.ts';
import type { Source } from './index/candidates.ts';
import type { SegmentHeader } from './index/format.ts';
import { ListBuilder, type MatchList } from './index/lists.ts';
import { ENOUGH_BYTES, ENOUGH_FRESH, indexPending } from './index/maintain.ts';
import { countMatches, type Ranked, rankSources } from './index/rank.ts';
import { SegmentGone } from './index/segments.ts';
import { MAX_FRESH, readScope, type ScopeRow } from './index/statements.ts';
import { storeOf } from './index/store.ts';
import type { FreshMemory } from './index/texts.ts';
import { matchInside, matchStart, matchTypo } from './matching/match.ts';
import { inSlices, Pace, type Steps } from './matching/pace.ts';
import { type Level, parseQuery, type Query, type QueryWord } from './matching/query.ts';
import { TERMS_VERSION } from './matching/terms.ts';
import { countNamed } from './named-spaces.ts';

/** The searchable state of an account at one instant. */
export type Scope = ScopeRow & {
  /** When the read behind it was made, and hence consumed, if it was. */
  readAt: Date;
};

/** Bytes of unindexed text that a search analyses itself; beyond them they are indexed first. */
const MAX_FRESH_BYTES = 4 * ENOUGH_BYTES;
/** How often a search polls whether what is new was put in segments, and what it waits between two polls: some ten seconds in all. */
const MAX_POLLS = 200;
const POLL_EVERY_MS = 50;
/** The database ends a process that stopped in the middle of a segment within two of these. */
const RETRY_AFTER_SECONDS = 15;
/** Time that a search spends on rewriting outdated segments (an earlier TERMS_VERSION) before it answers; at least one is begun. */
const RENEWING_MS = 2_000;

/**
 * The read that a search begins with: consumes one read (unless `consumes` is false) and says what is to be searched. Errors: `not_found`
 * (the Space, archived ones included), `quota_exceeded`.
 */
export function scopeRead(
  now: Date,
  input: { spaceId?: string | undefined; consumes: boolean },
): AccountRead<Scope> {
  const params = { ...readPeriodOf(now), spaceId: input.spaceId ?? null, consumes: input.consumes };
  return readScope(params, ([scope]) => {
    if (!scope?.spaceExists) throw spaceNotFound();
    if (!scope.granted) throw quotaExceeded(now, scope.readLimit ?? 0);
    return { ...scope, readAt: now };
  });
}

type Wanted = {
  q: string;
  spaceId?: string | undefined;
  roles?: readonly PillarRole[] | undefined;
  limit: number;
};

/**
 * The Memories of a scope that answer `q`, best first: exactly what scoring every live Memory would give. `query` says at what level each word was found, and what
 * it weighs.
 */
export async function findRanked(
  ctx: Context<AccountActor>,
  input: Wanted,
  first: Scope,
): Promise<{ query: Query; ranked: Ranked[]; scope: Scope }> {
  let scope = first;
  let isRenewalTried = false;
  for (let gone = 0; ; ) {
    try {
      scope = await withoutTooManyFresh(ctx, scope, input);
      const query = parseQuery(input.q);
      const pace = new Pace();
      const index = query.words.length > 0 ? await readIndex(ctx, scope, pace) : NOTHING;
      const outdated = index.segments.filter(({ header }) => header.termsVersion < TERMS_VERSION);
      if (outdated.length > 0 && !isRenewalTried) {
        isRenewalTried = true;
        if (await renew(ctx, outdated)) {
          scope = await readAgain(ctx, input);
          continue;
        }
      }
      const ranked = await rankScope(ctx, query, input, scope, index, pace);
      keepUp(ctx, scope, outdated).catch(indexFailed(ctx));
      return { query, ranked, scope };
    } catch (error) {
      if (!(error instanceof SegmentGone) || gone++ === 5) throw error;
      scope = await readAgain(ctx, input);
    }
  }
}

function readAgain(ctx: Context<AccountActor>, { spaceId }: Wanted): Promise<Scope> {
  return runAccountRead(ctx, scopeRead(ctx.clock.now(), { spaceId, consumes: false }));
}

const bytesOf = ({ fresh }: Scope) => fresh.reduce((sum, [, , bytes]) => sum + bytes, 0);

/** The scope once few enough Memories are unindexed. Errors: `unavailable` when another process holds the index for too long. */
async function withoutTooManyFresh(ctx: Context<AccountActor>, scope: Scope, input: Wanted): Promise<Scope> {
  let now = scope;
  // Another process may be indexing: it is given a little time, so that no search reads a whole account.
  for (let polls = 0; now.fresh.length > MAX_FRESH || bytesOf(now) > MAX_FRESH_BYTES; polls++) {
    if (polls === MAX_POLLS)
      throw new ServiceError('unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    await indexPending(ctx, { accountId: ctx.actor.accountId });
    if (polls > 0) await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
    now = await readAgain(ctx, input);
  }
  return now;
}

const idsOf = (segments: Index['segments']) => segments.map(({ id }) => id);

/**
 * Rewrites segments of an earlier TERMS_VERSION, within the time that a search may wait; the rest, or what another process rewrites, is
 * searched as it is. False when this process already rewrites enough: nothing was begun.
 */
function renew(ctx: Context<AccountActor>, outdated: Index['segments']): Promise<boolean> {
  const { accountId } = ctx.actor;
  const within = timeLimit(ctx, RENEWING_MS);
  return storeOf(ctx.kysely).renewing(accountId, () =>
    indexPending(ctx, { accountId, outdated: idsOf(outdated), within }).catch(indexFailed(ctx)),
  );
}

/** After the answer: indexes the waiting Memories, once there are enough, and rewrites outdated segments. */
async function keepUp(ctx: Context<AccountActor>, scope: Scope, outdated: Index['segments']): Promise<void> {
  const { accountId } = ctx.actor;
  const renewAll = () => indexPending(ctx, { accountId, outdated: idsOf(outdated) });
  if (outdated.length > 0 && (await storeOf(ctx.kysely).renewing(accountId, renewAll))) return;
  if (scope.fresh.length >= ENOUGH_FRESH || bytesOf(scope) >= ENOUGH_BYTES)
    await indexPending(ctx, { accountId });
}

/** A failure there is not the caller's. */
function indexFailed({ log, actor }: Context<AccountActor>): (error: unknown) => void {
  return (error) => {
    log.warn('search.index_failed', { accountId: actor.accountId, ...faultFields(error) });
  };
}

/** What a process reads of the index before it looks for words. */
type Index = { segments: readonly { id: number; header: SegmentHeader }[]; fresh: readonly FreshMemory[] };

const NOTHING: Index = { segments: [], fresh: [] };

async function readIndex(ctx: Context<AccountActor>, scope: Scope, pace: Pace): Promise<Index> {
  const store = storeOf(ctx.kysely);
  const [headers, fresh] = await Promise.all([
    store.segments.headers(scope.segments, pace),
    store.texts.fresh(ctx.actor.accountId, scope.fresh, pace),
  ]);
  return { segments: headers.map((header, i) => ({ id: scope.segments[i] as number, header })), fresh };
}

async function rankScope(
  ctx: Context<AccountActor>,
  query: Query,
  input: Wanted,
  scope: Scope,
  { segments, fresh }: Index,
  pace: Pace,
): Promise<Ranked[]> {
  if (query.words.length === 0) return [];
  const store = storeOf(ctx.kysely);
  const isIn = inScope(scope, input);
  const gone = Map.groupBy(scope.dead, ([segment]) => segment);
  const sources: Source[] = segments.map(({ id, header }) => ({
    count: header.count,
    ids: header.ids,
    stamps: header.stamps,
    updatedAt: header.updatedAt,
    titleLength: header.titleLength,
    ...searchedOf({ id, header }, isIn, gone.get(id)?.map(([, number]) => number) ?? [], store),
    lists: query.words.map(() => null),
  }));
  const recent = fresh.filter(({ spaceId, role }) => isIn(spaceId, role));
  const freshSource = sourceOf(recent, query);
  const countIn = countingIn(segments, sources, recent);
  sources.push(freshSource);
  const total = sources.reduce((sum, { live }) => sum + live, 0);
  countNamed(query, searchedSpaces(scope, input), { total, countIn });

  const lookUp = async (words: readonly (QueryWord | null)[], level: Level) => {
    const rows = await store.lists.of(segments, words, level, pace);
    for (const [i, row] of rows.entries())
      for (const [word, list] of row.entries()) if (list) (sources[i] as Source).lists[word] = list;
    for (const [word, one] of words.entries())
      if (one) freshSource.lists[word] = await inSlices(listingFresh(recent, freshSource, one, level), pace);
    if (level !== 'start') for (const one of words) if (one) one.level = level;
    return countMatches(query, sources);
  };
  let found = await lookUp(query.words, 'start');
  for (const level of ['inside', 'typo'] as const) {
    const absent = query.words.map((word, i) => (found.counts[i] === 0 && word.named === 0 ? word : null));
    if (absent.some((word) => word !== null)) found = await lookUp(absent, level);
  }
  return rankSources(query, sources, found, input.limit, pace);
}

/** The Spaces of a scope that are searched. */
function searchedSpaces({ spaces }: Scope, { spaceId }: Wanted): { id: string; name: string }[] {
  return spaces.flatMap(([id, name]) => (spaceId === undefined || id === spaceId ? [{ id, name }] : []));
}

/** How many Memories of each Space are searched: counted when that is asked for the first time. */
function countingIn(
  segments: Index['segments'],
  sources: readonly Source[],
  recent: readonly FreshMemory[],
): (spaceId: string) => number {
  let counts: Map<string, number> | undefined;
  return (spaceId) => {
    if (counts === undefined) {
      counts = new Map();
      for (const one of recent) counts.set(one.spaceId, (counts.get(one.spaceId) ?? 0) + 1);
      for (const [i, { header }] of segments.entries()) {
        const { excluded } = sources[i] as Source;
        const held = new Uint32Array(header.spaces.length);
        for (let doc = 0; doc < header.count; doc++)
          if (excluded === null || excluded[doc] === 0) {
            const space = header.space[doc] as number;
            held[space] = (held[space] as number) + 1;
          }
        for (const [at, id] of header.spaces.entries())
          counts.set(id, (counts.get(id) ?? 0) + (held[at] as number));
      }
    }
    return counts.get(spaceId) ?? 0;
  };
}

type FreshSource = Source & { bodyLength: number[] };

function sourceOf(memories: readonly FreshMemory[], query: Query): FreshSource {
  return {
    count: memories.length,
    live: memories.length,
    ids: memories.map(({ id }) => id),
    stamps: memories.map(({ stamp }) => stamp),
    updatedAt: memories.map(({ updatedAt }) => updatedAt),
    titleLength: memories.map(({ analysed }) => analysed.titleLength),
    bodyLength: memories.map(({ analysed }) => analysed.bodyLength),
    excluded: null,
    lists: query.words.map(() => null),
  };
}

const MATCHERS = { start: matchStart, inside: matchInside, typo: matchTypo };

/** The list of a word over Memories that are in no segment, in steps. */
function* listingFresh(
  memories: readonly FreshMemory[],
  lengths: FreshSource,
  word: QueryWord,
  level: Level,
): Steps<MatchList> {
  const builder = new ListBuilder(lengths);
  const match = MATCHERS[level];
  for (const [i, { analysed }] of memories.entries()) {
    yield* builder.addingMemory(i, analysed, (term) => match(word, term));
    if (level === 'start') for (const apart of word.apart) builder.addMemoryTogether(i, analysed, apart);
  }
  return yield* builder.building();
}
