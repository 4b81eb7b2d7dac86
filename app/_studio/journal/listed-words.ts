import { count, number } from '#app/_ui/format.ts';
import { JOURNAL_COUNT_LIMIT } from '#lib/studio/limits.ts';

/** How many generations are listed, and of how many. Once the whole list is loaded, the listed ones count, not the former total. */
export function listedWords(shown: number, total: number, hasMore: boolean): string {
  if (!hasMore) return count(shown, 'génération');
  const all =
    total > JOURNAL_COUNT_LIMIT
      ? `plus de ${number(JOURNAL_COUNT_LIMIT)}\u00a0générations`
      : count(total, 'génération');
  return shown < total ? `${number(shown)} sur ${all}` : all;
}
