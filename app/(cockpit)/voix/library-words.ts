import { count, number } from '#app/_ui/format.ts';

/** The number of voices, and the number that are listed if a search or a filter hides some. */
export function libraryWords(listed: number, all: number): string {
  const voices = count(all, 'voix, relue', 'voix, relues');
  return `${listed < all ? `${number(listed)} sur ${voices}` : voices} toutes les dix minutes.`;
}
