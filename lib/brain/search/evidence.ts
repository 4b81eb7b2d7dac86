import { isStrong, qualityOf } from './matching/match.ts';
import type { Query, QueryWord } from './matching/query.ts';
import { bestPassage, type Hit, rarity } from './matching/score.ts';

/** How well passages answer, for a context about a question: what `score.ts` is to whole Memories. */

/** Part of its worth that a word keeps when it stands in the title of a Memory and not in the passage. */
export const BY_TITLE = 0.6;
const MIN_WEIGHT = 0.05;

/** The weight of each word of a query among `sentences` sentences: 1 for the one said least often. */
export function weighPassages(
  { words }: Query,
  found: readonly (readonly (Hit | null)[])[],
  sentences: number,
): number[] {
  const strong = words.map(() => 0);
  const any = words.map(() => 0);
  for (const hits of found)
    hits.forEach((hit, word) => {
      if (!hit) return;
      const mentions = hit.titlePlaces.length + hit.bodyPlaces.length;
      any[word] = (any[word] as number) + mentions;
      if (isStrong(hit.title) || isStrong(hit.body)) strong[word] = (strong[word] as number) + mentions;
    });
  const mentions = any.map((count, word) => (strong[word] as number) || count);
  const total = Math.max(sentences, ...mentions);
  // A sentence of a Space is about what the Space is named after, whether it says so or not.
  const counts = mentions.map((count, word) => ((words[word] as QueryWord).named > 0 ? total : count));
  const rarities = counts.map((count) => (count === 0 ? 0 : rarity(count, total)));
  const highest = Math.max(...rarities);
  return rarities.map((one) => (highest === 0 ? 1 : Math.max(MIN_WEIGHT, one / highest)));
}

/** What the best passage of a Memory is worth, the words of its title counting for less. */
export function evidenceOf(weights: readonly number[], hits: readonly (Hit | null)[]): number {
  let single = 0;
  let inTitle = 0;
  hits.forEach((hit, word) => {
    if (!hit) return;
    const weight = weights[word] as number;
    if (hit.body !== 0) single = Math.max(single, (weight * qualityOf(hit.body)) / 100);
    inTitle += (weight * qualityOf(hit.title)) / 100;
  });
  const together = bestPassage((word) => weights[word] as number, hits, 'body');
  return Math.max(single, together) + BY_TITLE * inTitle;
}
