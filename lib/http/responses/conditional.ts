import type { Answer, NotModified } from '../middleware/with-credential.ts';

/** An answer that can be asked for conditionally (RFC 9110, 13.1.2): without a body, the caller's copy is current. */
export function conditional(result: { etag: string; body: unknown }): Answer | NotModified {
  const headers = { ETag: result.etag, 'Cache-Control': 'private, no-cache', Vary: 'Authorization' };
  return result.body === null ? { notModified: true, headers } : { body: result.body, headers };
}
