import { shorten } from '#lib/brain/context/cut.ts';
import { MAX_TITLE_LENGTH } from '#lib/brain/templates.ts';
import type { Parsed } from './types.ts';

/** Text of a file in UTF-8 (a byte order mark is dropped), or the French reason why it is none. */
export function decodeText(bytes: Uint8Array): Parsed<{ text: string }> {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return { ok: false, reason: 'Ce fichier n’est pas un texte en UTF-8.' };
  }
  return text.includes('\0')
    ? { ok: false, reason: 'Ce fichier contient des octets nuls : ce n’est pas un texte.' }
    : { ok: true, text };
}

/** Reason given for a file without any visible character. */
export const EMPTY_FILE = 'Ce fichier est vide.';

/** Bytes that `text` takes inside a JSON string. */
export function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text), 'utf8') - 2;
}

/** Without white space at the end of lines nor around the text. */
export function trimLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

/** A title on one line of at most 200 characters, never empty. */
export function cleanTitle(raw: string, fallback = 'Sans titre'): string {
  const line = raw.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim();
  return shorten(line || fallback, MAX_TITLE_LENGTH);
}

/** « guides » from `02-guides`, « Prise en main » from `prise-en-main.md`. */
export function titleFromName(name: string): string {
  const stem = name.replace(/\.(mdx?|markdown|txt|html?|pdf)$/i, '');
  const words =
    stem
      .replace(/^\d+[-_. ]+(?=.)/, '')
      .replace(/[-_]+/g, ' ')
      .trim() || stem;
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
