import { extendedValue } from '#lib/core/text/extended-value.ts';

// Bidirectional controls too: they would make the extension look different in the save dialog.
const FORBIDDEN = /[\\/:*?"<>|\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu;

/** A file to save, under a name that any system accepts; never shown in place, never kept by a cache. */
export function attachment(content: BodyInit | Uint8Array, name: string, contentType: string): Response {
  const safe = name.replace(FORBIDDEN, ' ').trim().slice(-150).toWellFormed() || 'export';
  // Filtered again: the ASCII conversion turns a full-width quotation mark into one that would end the name in the header.
  const ascii = safe
    .normalize('NFKD')
    .replace(/[^\x20-\x7e]/g, '')
    .replace(FORBIDDEN, ' ')
    .trim();
  return new Response(content as BodyInit, {
    headers: {
      'Content-Type': contentType,
      'Content-Disposition': `attachment; filename="${ascii || 'export'}"; filename*=${extendedValue(safe)}`,
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
  });
}
