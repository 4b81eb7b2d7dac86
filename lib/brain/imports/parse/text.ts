import type { Parsed } from './types.ts';

const NOT_TEXT = { ok: false as const, reason: 'Ce fichier n’est pas un texte en UTF-8.' };

/** Text of a file in UTF-8 (a byte order mark is dropped), or the French reason why it is none. */
export function decodeText(bytes: Uint8Array): Parsed<{ text: string }> {
  return withoutNul(decodedAs('utf-8', bytes));
}

/**
 * Decodes a text file: UTF-8, else UTF-16 by its first bytes, the charset that it declares (never UTF-16, which its own bytes would
 * contradict), or Windows-1252, which Excel and older programs save. Refuses, in French, binary bytes, more non-ASCII bytes than French text
 * has, and damaged UTF-8.
 */
export function readText(bytes: Uint8Array, declared?: string): Parsed<{ text: string }> {
  return withoutNul(
    decodedAs(wideCharset(bytes) ?? 'utf-8', bytes) ??
      (declared === undefined || /^utf-16/i.test(declared) ? null : decodedAs(declared, bytes)) ??
      (isWindowsText(bytes) ? decodedAs('windows-1252', bytes) : null),
  );
}

/** The charset that the head of a page declares. */
export function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  return /<meta[^>]{0,200}?charset=["']?([\w-]+)/i.exec(head)?.[1];
}

function withoutNul(text: string | null): Parsed<{ text: string }> {
  if (text === null) return NOT_TEXT;
  return text.includes('\0')
    ? { ok: false, reason: 'Ce fichier contient des octets nuls\u00a0: ce n’est pas un texte.' }
    : { ok: true, text };
}

/** Null for bytes that this charset does not have, and for a charset that nobody knows. */
function decodedAs(charset: string, bytes: Uint8Array): string | null {
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

function wideCharset([first, second]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

/** Bytes that Windows-1252 gives no character. */
const UNUSED: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);

function isWindowsText(bytes: Uint8Array): boolean {
  let beyond = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte < 0x20 ? byte < 0x09 || byte > 0x0d : byte === 0x7f || UNUSED.has(byte)) return false;
    if (byte < 0x80) continue;
    const next = bytes[at + 1] ?? 0;
    // An accent as UTF-8 writes it, which in Windows-1252 is « Ã© »: the file is UTF-8, and something else in it is broken.
    if ((byte === 0xc2 || byte === 0xc3) && next >= 0x80 && next <= 0xbf) return false;
    beyond += 1;
  }
  return beyond * 3 <= bytes.length;
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

/** One to three marked letters with which a word begins, as those of an acronym that is spelled out: `**R**èglement`. */
const MARKED_LETTERS = /(?<![\p{L}\p{N}*])(\*{1,3})((?:\p{L}\p{M}*){1,3})\1(?=\p{Ll})/gu;

/** A text without the marks that would cut a word in two for whoever looks for it. */
export function wholeWords(markdown: string): string {
  return markdown.replace(MARKED_LETTERS, '$2');
}
