import type { Parsed } from './types.ts';

const NOT_UTF8 =
  'Ce fichier n’est pas en UTF-8\u00a0: importez-le tel qu’il a été exporté, ou enregistrez-le en UTF-8.';
const UNREADABLE =
  'Le texte de ce fichier n’a pas pu être lu\u00a0: il est abîmé, ou dans un codage qui n’est pas reconnu. Enregistrez-le en UTF-8, puis importez-le de nouveau.';

/** Text of a file of ours, in UTF-8 alone (a byte order mark is dropped), or the French reason why it is none. */
export function decodeText(bytes: Uint8Array): Parsed<{ text: string }> {
  return withoutNul(decodedAs('utf-8', bytes), NOT_UTF8);
}

/**
 * Decodes a text file: UTF-8, else UTF-16 by its first bytes or where it has NULs, the charset that it declares (never UTF-16, which its own
 * bytes would contradict), or that of older programs: Windows-1252, else that of a Mac or of DOS when more of its bytes are French letters
 * there. Refuses, in French, binary bytes, more non-ASCII bytes than French text has, and damaged UTF-8. Line ends of old Macs become line feeds.
 */
export function readText(bytes: Uint8Array, declared?: string): Parsed<{ text: string }> {
  const wide = wideCharset(bytes);
  const read = withoutNul(
    decodedAs(wide ?? 'utf-8', bytes) ??
      (declared === undefined || /^utf-16/i.test(declared) ? null : decodedAs(declared, bytes)) ??
      decodedAs(olderCharset(bytes), bytes),
    UNREADABLE,
  );
  return read.ok ? { ok: true, text: withLineFeeds(read.text) } : read;
}

/** A text whose lines end by a carriage return alone, as on Macs of another time, with line feeds; any other as it is. */
export function withLineFeeds(text: string): string {
  return text.includes('\n') ? text : text.replaceAll('\r', '\n');
}

/** The charset that the head of a page declares. */
export function declaredCharset(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 1024));
  return /<meta[^>]{0,200}?charset=["']?([\w-]+)/i.exec(head)?.[1];
}

function withoutNul(text: string | null, unread: string): Parsed<{ text: string }> {
  if (text === null) return { ok: false, reason: unread };
  return text.includes('\0')
    ? { ok: false, reason: 'Ce fichier contient des octets nuls\u00a0: ce n’est pas un texte.' }
    : { ok: true, text };
}

/** Null for bytes that this charset does not have, and for a charset that nobody knows. */
function decodedAs(charset: string | null, bytes: Uint8Array): string | null {
  if (charset === null) return null;
  if (charset === CODE_PAGE_850) return inCodePage850(bytes);
  try {
    return new TextDecoder(charset, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Characters in which NULs are looked for. */
const WIDE_SAMPLE = 2_000;

/** UTF-16 that says so in its first two bytes, or that has a NUL in most of its pairs, always in the same place: as letters of Europe have. */
function wideCharset(bytes: Uint8Array): string | null {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, 2 * WIDE_SAMPLE);
  const nuls = [0, 0];
  for (const [at, byte] of sample.entries()) if (byte === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = nuls;
  if (bytes.length % 2 > 0 || 4 * (even + odd) <= sample.length || (even > 0 && odd > 0)) return null;
  return odd > 0 ? 'utf-16le' : 'utf-16be';
}

const CODE_PAGE_850 = 'code page 850';

/** Its upper half, in which DOS and older Windows write in Western Europe: 437 has its small letters, and frames for « À » and « Ê ». */
const BEYOND_ASCII_IN_850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐' +
  '└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0';

/** Text that DOS or an older Windows wrote in Western Europe: every byte is a character there. */
export function inCodePage850(bytes: Uint8Array): string {
  const byBytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return byBytes.replace(/[\x80-\xff]/g, (byte) => BEYOND_ASCII_IN_850[byte.charCodeAt(0) - 0x80] ?? byte);
}

/** Bytes that Windows-1252 gives no character. */
const UNUSED: ReadonlySet<number> = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
/** « Éàâçéèêùû » on a Mac, and « éâàçêëèï » in DOS, which are no letters in Windows-1252, or none that French has. */
const OF_MACS: ReadonlySet<number> = new Set([0x83, 0x88, 0x89, 0x8d, 0x8e, 0x8f, 0x90, 0x9d, 0x9e]);
const OF_DOS: ReadonlySet<number> = new Set([0x82, 0x83, 0x85, 0x87, 0x88, 0x89, 0x8a, 0x8b]);

/** The charset in which most of the bytes beside letters are letters of French; null for what no program of Western Europe wrote as text. */
function olderCharset(bytes: Uint8Array): string | null {
  let beyond = 0;
  let unused = 0;
  const letters = { windows: 0, mac: 0, dos: 0 };
  for (const [at, byte] of bytes.entries()) {
    if (byte < 0x20 ? byte < 0x09 || byte > 0x0d : byte === 0x7f) return null;
    if (byte < 0x80) continue;
    const next = bytes[at + 1] ?? 0;
    // An accent as UTF-8 writes it, which in Windows-1252 is « Ã© »: the file is UTF-8, and something else in it is broken.
    if ((byte === 0xc2 || byte === 0xc3) && next >= 0x80 && next <= 0xbf) return null;
    beyond += 1;
    if (UNUSED.has(byte)) unused += 1;
    const before = bytes[at - 1] ?? 0;
    // « à » alone, and the apostrophe of « l’eau », which in Windows-1252 is a capital.
    if ((byte === 0x88 && before === 0x20 && next === 0x20) || (byte === 0xd5 && isLower(before)))
      letters.mac += 1;
    if (!isLetter(next) && !isLetter(before)) continue;
    if (byte >= 0xe0 && byte < 0xff) letters.windows += 1;
    if (OF_MACS.has(byte)) letters.mac += 1;
    if (OF_DOS.has(byte)) letters.dos += 1;
  }
  if (beyond * 3 > bytes.length) return null;
  const { windows, mac, dos } = letters;
  if (Math.max(mac, dos) > windows) return mac >= dos ? 'macintosh' : CODE_PAGE_850;
  return unused === 0 ? 'windows-1252' : null;
}

/** Of ASCII, as is the next one. */
const isLower = (byte: number) => byte >= 0x61 && byte <= 0x7a;
const isLetter = (byte: number) => isLower(byte | 0x20);

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
