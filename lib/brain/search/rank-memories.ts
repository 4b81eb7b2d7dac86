import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { runAccountRead } from '#lib/db/account-read.ts';
import type { PillarRole } from '../templates.ts';
import { findRanked, scopeRead } from './find.ts';
import { type Occurrence, occurrences } from './occurrences.ts';
import type { Query } from './query.ts';

/** A Memory that answers a query, and how well. */
export type RankedMemory = { memoryId: string; score: number };

/** A place of a text that answers a word of the query: original UTF-16 offsets, end excluded. */
export type Match = { word: number; start: number; end: number; weight: number };

/** More than any Space holds. */
const ALL = 1_000_000;

/**
 * The live Memories of one Space that answer `q`, best first, at most `limit` (all of them when absent). Consumes no read. `query` is what `findMatches` needs to
 * find the places in their texts. Errors: `not_found` (Space).
 */
export async function rankMemories(
  ctx: Context<AccountActor>,
  input: { q: string; spaceId: string; pillars?: readonly PillarRole[]; limit?: number },
): Promise<{ query: Query; ranked: RankedMemory[] }> {
  const { q, spaceId, pillars: roles, limit = ALL } = input;
  const scope = await runAccountRead(ctx, scopeRead(ctx.clock.now(), { spaceId, consumes: false }));
  const { query, ranked } = await findRanked(ctx, { q, spaceId, roles, limit }, scope);
  return { query, ranked: ranked.map(({ memoryId, score }) => ({ memoryId, score })) };
}

/** Every place of `text` that answers a word of the query, in order; `weight` says how much it counts (1: the rarest word, itself). */
export function findMatches(query: Query, text: string): Match[] {
  return occurrences(query, text).map(({ word, start, end, quality }: Occurrence) => ({
    word,
    start,
    end,
    weight: ((query.words[word]?.weight ?? 1) * quality) / 100,
  }));
}
