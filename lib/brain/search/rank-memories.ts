import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { runAccountRead } from '#lib/db/account-read.ts';
import type { PillarRole } from '../templates.ts';
import { evidenceOf, weighPassages } from './evidence.ts';
import { findRanked, scopeRead } from './find.ts';
import { findingOccurrences, type Occurrence, TermMatches } from './matching/occurrences.ts';
import { atOnce, Pace, type Steps } from './matching/pace.ts';
import { type Query, unmatchedWords } from './matching/query.ts';

/** A place of a text that answers a word of the query: original UTF-16 offsets, end excluded. */
export type Match = { word: number; start: number; end: number; weight: number };

/** More than any Space holds. */
const ALL = 1_000_000;

/**
 * The live Memories of one Space that answer `q`, those whose best passage answers most first, all of them; and where in a text they do. A passage is judged among
 * the passages of the Space, about `sentences` of them: a word that every long Memory holds somewhere is still rare in a sentence. Consumes no read. Errors:
 * `not_found` (Space). `ignoredWords`: those that are not looked for, there being too many (B-272); `unmatchedWords`: those that none of them holds (B-274).
 */
export async function rankMemories(
  ctx: Context<AccountActor>,
  input: { q: string; spaceId: string; pillars?: readonly PillarRole[]; sentences: number },
): Promise<{
  ranked: { memoryId: string }[];
  ignoredWords: string[];
  unmatchedWords: string[];
  matchesOf: (text: string) => Match[];
  /** The same, in steps. */
  findingMatches: (text: string) => Steps<Match[]>;
}> {
  const { q, spaceId, pillars: roles } = input;
  const scope = await runAccountRead(ctx, scopeRead(ctx.clock.now(), { spaceId, consumes: false }));
  const { query, ranked } = await findRanked(ctx, { q, spaceId, roles, limit: ALL }, scope);
  const weights = weighPassages(
    query,
    ranked.map(({ hits }) => hits),
    input.sentences,
  );
  const pace = new Pace();
  const judged: { memoryId: string; evidence: number }[] = [];
  for (const { memoryId, hits } of ranked) {
    judged.push({ memoryId, evidence: evidenceOf(weights, hits) });
    if (pace.due()) await pace.rest();
  }
  // A stable sort: equal evidence, the order of search.
  judged.sort((a, b) => b.evidence - a.evidence);
  const matches = new TermMatches(query);
  const finding = (text: string) => findingMatches(query, text, weights, matches);
  return {
    ranked: judged,
    ignoredWords: query.ignored,
    unmatchedWords: unmatchedWords(query),
    matchesOf: (text) => atOnce(finding(text)),
    findingMatches: finding,
  };
}

/**
 * Every place of `text` that answers a word of the query, in order, in steps; `weight` says how much it counts (1: the rarest word, itself).
 * `weights` and `matches` are those of a ranking.
 */
export function* findingMatches(
  query: Query,
  text: string,
  weights?: readonly number[],
  matches?: TermMatches,
): Steps<Match[]> {
  const found = yield* findingOccurrences(query, text, matches);
  return found.map(({ word, start, end, quality }: Occurrence) => ({
    word,
    start,
    end,
    weight: ((weights?.[word] ?? query.words[word]?.weight ?? 1) * quality) / 100,
  }));
}
