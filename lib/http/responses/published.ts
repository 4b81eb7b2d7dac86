import { matchesEtag } from '#lib/storage/serving/byte-range.ts';
import { textEtag } from './conditional.ts';
import type { RouteAnswer } from './route-answer.ts';

/** How long a cached copy may be used without revalidation; after that it is revalidated by its ETag. */
const FRESH_SECONDS = 300;

/**
 * A text that is the same for everybody: any cache may keep it, and a copy that is current is answered by 304 without a body. `vary`
 * names the request headers that the address's answer depends on.
 */
export function published(
  request: Request,
  { text, contentType, vary }: { text: string; contentType: string; vary?: string },
): RouteAnswer {
  const etag = textEtag(text);
  const headers = {
    ETag: etag,
    'Cache-Control': `public, max-age=${FRESH_SECONDS}`,
    ...(vary ? { Vary: vary } : {}),
  };
  if (matchesEtag(request.headers.get('if-none-match'), etag)) return { status: 304, body: null, headers };
  return {
    status: 200,
    body: text,
    headers: { ...headers, 'Content-Type': `${contentType}; charset=utf-8` },
  };
}
