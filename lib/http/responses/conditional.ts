import { hash } from 'node:crypto';
import { matchesEtag } from '#lib/storage/serving/byte-range.ts';
import type { RouteAnswer } from './route-answer.ts';

/** An answer that can be asked for conditionally (RFC 9110, 13.1.2): without a body, the caller's copy is current. */
export function conditional(result: { etag: string; body: unknown }): RouteAnswer {
  const headers = { ETag: result.etag, 'Cache-Control': 'private, no-cache', Vary: 'Authorization' };
  return { status: result.body === null ? 304 : 200, body: result.body, headers };
}

/** The same for a body that is always read whole: its ETag is computed from its text, so that a current copy costs no transfer. */
export function conditionalOn(request: Request, body: object): RouteAnswer {
  const etag = textEtag(JSON.stringify(body));
  return conditional({ etag, body: matchesEtag(request.headers.get('if-none-match'), etag) ? null : body });
}

/** The strong ETag of a text: a digest of it, the same on every instance. */
export function textEtag(text: string): string {
  return `"${hash('sha256', text, 'base64url').slice(0, 22)}"`;
}
