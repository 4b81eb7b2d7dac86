import type { RouteAnswer } from './route-answer.ts';

/** An answer that can be asked for conditionally (RFC 9110, 13.1.2): without a body, the caller's copy is current. */
export function conditional(result: { etag: string; body: unknown }): RouteAnswer {
  const headers = { ETag: result.etag, 'Cache-Control': 'private, no-cache', Vary: 'Authorization' };
  return { status: result.body === null ? 304 : 200, body: result.body, headers };
}
