import { LRUCache } from 'lru-cache';
import { isStrong, matchStart } from './matching/match.ts';
import { parseQuery, type Query } from './matching/query.ts';

/** The words of names met lately: every search of an account reads the names of its Spaces. */
const known = new LRUCache<string, readonly string[]>({ max: 4_096 });

/** Those that name something, articles and the like aside. */
function wordsOf(name: string): readonly string[] {
  let words = known.get(name);
  if (words === undefined) {
    words = parseQuery(name).words.map(({ text }) => text);
    known.set(name, words);
  }
  return words;
}

/**
 * Says of each word of a query in how many Memories it is said by the name of their Space (`named`), where the query holds that name whole and
 * the Space holds half of the `total` that is searched or more: what it says is about what it is named after, and seldom repeats it. Of a
 * smaller one the name says which is meant. `countIn`: how many Memories of a Space are searched; not asked of a Space that is not named.
 */
export function countNamed(
  query: Query,
  spaces: readonly { id: string; name: string }[],
  { total, countIn }: { total: number; countIn: (spaceId: string) => number },
): void {
  for (const { id, name } of spaces) {
    const words = wordsOf(name);
    const said = query.words.filter((word) => words.some((text) => isStrong(matchStart(word, text))));
    const isWhole = words.every((text) => said.some((word) => isStrong(matchStart(word, text))));
    if (said.length === 0 || !isWhole) continue;
    const count = countIn(id);
    if (count * 2 >= total) for (const word of said) word.named = Math.max(word.named, count);
  }
}
