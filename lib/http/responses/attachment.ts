import { extendedValue } from '#lib/core/text/extended-value.ts';

// Changes of direction too: in the dialog of who saves it, a name would end otherwise than it does.
const FORBIDDEN = /[\\/:*?"<>|\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu;

/** A file to save, under a name that any system accepts; never shown in place, never kept by a cache. */
export function attachment(content: BodyInit | Uint8Array, name: string, contentType: string): Response {
  const safe = name.replace(FORBIDDEN, ' ').trim().slice(-150).toWellFormed() || 'export';
  // Again: a full-width quotation mark is an ordinary one by now, and would end the name in the header.
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
