import { count, number } from '#app/_ui/format.ts';

/** How many voices there are, and how many of them are listed when a search or a filter leaves some out. */
export function libraryWords(listed: number, all: number): string {
  const voices = count(all, 'voix, relue', 'voix, relues');
  return `${listed < all ? `${number(listed)} sur ${voices}` : voices} toutes les dix minutes.`;
}
