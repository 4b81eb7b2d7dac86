import { Passages } from '#lib/brain/context/passages.ts';
import { pairing } from '#lib/brain/likeness/sketch.ts';
import { atOnce } from '#lib/brain/search/matching/pace.ts';
import type { Query } from '#lib/brain/search/matching/query.ts';
import { findingMatches, type Match } from '#lib/brain/search/rank-memories.ts';
import { makingSnippet } from '#lib/brain/search/snippet.ts';

/** What the service does with a text in steps, done at once: tests have nobody else to let run. */

/** The pairs of neighbouring words of a Memory. */
export const pairsOf = (title: string, body: string): Uint32Array => atOnce(pairing(title, body));

/** The snippet that search shows of a text. */
export const makeSnippet = (query: Query, body: string): string => atOnce(makingSnippet(query, body));

/** Every place of a text that answers a word of the query. */
export const findMatches = (query: Query, text: string): Match[] => atOnce(findingMatches(query, text));

/** What a context shows of a long text in this room: its best sentences, or a piece of the best one. */
export function passagesOf(body: string, matches: readonly Match[], budget: number): string {
  const passages = new Passages(body, matches);
  passages.fill(budget);
  return passages.text() || passages.piece(budget);
}
