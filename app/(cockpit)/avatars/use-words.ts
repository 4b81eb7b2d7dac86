import { count } from '#app/_ui/format.ts';

/** The uses of an avatar are counted up to here: beyond, nobody knows how many there are. */
const COUNTED = 100;

/** In how many generations an avatar was used. */
export function usesWords(useCount: number): string {
  return useCount >= COUNTED ? '100 générations et plus' : count(useCount, 'génération');
}

/** What the list of its uses leaves out; null when it shows them all. */
export function restWords(useCount: number, shown: number): string | null {
  if (useCount <= shown) return null;
  return useCount >= COUNTED
    ? 'et d’autres, plus anciennes'
    : `et ${count(useCount - shown, 'autre, plus ancienne', 'autres, plus anciennes')}`;
}
