import { foldAccents } from '#lib/core/text/fold.ts';

/** What the journal's search reads of a request: letters without accents; at most 500. */
export function foldForSearch(text: string): string {
  return foldAccents(text).slice(0, 500);
}
