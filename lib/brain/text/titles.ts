import { isBlank } from '#lib/core/text/blank.ts';
import { MAX_TITLE_LENGTH } from '../limits.ts';
import { shorten } from './cut.ts';

const onOneLine = (raw: string) => raw.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();

/** A title on one line of at most 200 characters, of which something is seen. */
export function cleanTitle(raw: string, fallback = 'Sans titre'): string {
  const seen = [raw, fallback].find((text) => !isBlank(text)) ?? 'Sans titre';
  return shorten(onOneLine(seen), MAX_TITLE_LENGTH);
}

/** Whether the title made of a heading says all of its words: none of them needs to stand in the text too. */
export function isSaidByTitle(heading: { text: string; isWhole: boolean }): boolean {
  return heading.isWhole && onOneLine(heading.text).length <= MAX_TITLE_LENGTH;
}

/** A number that puts files in an order: `02-`, `1. `. A year, a date or what is counted (`2026 Tarifs`, `3 raisons`) is none. */
const ORDER_NUMBER = /^(?:0\d*[-_. ]+|\d{1,2} ?[-_.][-_. ]*)(?=\p{L})/u;
/** What stands for a space in a name; the hyphens of `2026-03-12` do not. */
const NAME_SPACES = /_+|(?<!\d)-+|-+(?!\d)/g;

/** « guides » from `02-guides`, « Prise en main » from `prise-en-main.md`. */
export function titleFromName(name: string): string {
  const stem = name.replace(/\.(mdx?|markdown|txt|html?|pdf|docx|csv|tsv)$/i, '');
  const words = stem.replace(ORDER_NUMBER, '').replace(NAME_SPACES, ' ').trim() || stem;
  return cleanTitle(words.charAt(0).toLocaleUpperCase('fr') + words.slice(1), name);
}

/** GitHub-like anchor of a heading: lower case, words joined by hyphens; « partie » when nothing is left. */
export function anchorOf(heading: string): string {
  const anchor = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');
  return shorten(anchor, 80).replace('…', '') || 'partie';
}
