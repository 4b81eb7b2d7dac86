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

/** Without white space at the end of lines nor around the text. */
export function trimLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}
