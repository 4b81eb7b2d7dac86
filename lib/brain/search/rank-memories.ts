import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { PillarRole } from '../templates.ts';
import { createMatcher, findOccurrences } from './match.ts';
import type { Query } from './query.ts';
import { findMemories, MAX_SEARCH_LIMIT } from './search-memories.ts';

/** A Memory that answers a query, and how well. */
export type RankedMemory = { memoryId: string; score: number };

/** A place of a text that answers a word of the query: original UTF-16 offsets, end excluded. */
export type Match = { word: number; start: number; end: number; weight: number };

/**
 * The live Memories of one Space that answer `q`, best first, at most `limit` (all of them when absent). Consumes no read, and a Space of another account is like an
 * empty one. `query` is what `findMatches` needs to find the places in their texts.
 */
export async function rankMemories(
  ctx: Context<AccountActor>,
  input: { q: string; spaceId: string; pillars?: readonly PillarRole[]; limit?: number },
): Promise<{ query: Query; ranked: RankedMemory[] }> {
  const { query, hits } = await findMemories(ctx, {
    q: input.q,
    spaceId: input.spaceId,
    limit: MAX_SEARCH_LIMIT,
  });
  const ranked = hits
    .filter(({ memory }) => !input.pillars || input.pillars.includes(memory.role))
    .map(({ memory, score }) => ({ memoryId: memory.id, score }));
  return { query, ranked: ranked.slice(0, input.limit) };
}

/** Every place of `text` that answers a word of the query, in order; `weight` says how much that word counts (1: the rarest). */
export function findMatches(query: Query, text: string): Match[] {
  return findOccurrences(createMatcher(query), text).map(({ word, start, end }) => ({
    word,
    start,
    end,
    weight: 1,
  }));
}
