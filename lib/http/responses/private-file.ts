/** Bytes or text of ours for one member, shown in a page of ours and nowhere else. `maxAgeSeconds` 0: never kept. */
export function privateFile(
  content: BodyInit | Uint8Array,
  options: { contentType: string; maxAgeSeconds: number },
): Response {
  const headers = new Headers({
    'Content-Type': options.contentType,
    'Cache-Control':
      options.maxAgeSeconds > 0 ? `private, max-age=${options.maxAgeSeconds}` : 'private, no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
  if (content instanceof Uint8Array) headers.set('Content-Length', String(content.byteLength));
  return new Response(content as BodyInit, { headers });
}
