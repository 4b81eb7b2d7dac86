/** A PNG of ours, shown in a page of ours and nowhere else. */
export function pngAnswer(png: Uint8Array, cacheControl: string): Response {
  return new Response(png as BodyInit, {
    headers: {
      'Content-Type': 'image/png',
      'Content-Length': String(png.byteLength),
      'Cache-Control': cacheControl,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
    },
  });
}
