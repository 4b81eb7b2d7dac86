import { count } from '#app/_ui/format.ts';

/** The most uses that are counted; beyond it the exact number is unknown. */
const COUNTED = 100;

/** The number of generations that used an avatar, in words. */
export function usesWords(useCount: number): string {
  return useCount >= COUNTED ? '100 générations et plus' : count(useCount, 'génération');
}

/** How many uses the list leaves out, in words; null when it shows them all. */
export function restWords(useCount: number, shown: number): string | null {
  if (useCount <= shown) return null;
  return useCount >= COUNTED
    ? 'et d’autres, plus anciennes'
    : `et ${count(useCount - shown, 'autre, plus ancienne', 'autres, plus anciennes')}`;
}
