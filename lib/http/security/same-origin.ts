import { type Env, env } from '#lib/core/env.ts';

import { reachedOrigin } from './origin.ts';

/**
 * Whether a request that changes something comes from our own pages: its `Origin` is the service's, scheme included, or it has
 * none and `Sec-Fetch-Site` does not betray another site (programs that carry a cookie by hand, like curl, send neither), or it
 * is `null` (browsers that keep the origin of a form to themselves, as those inside of other applications do) and
 * `Sec-Fetch-Site`, which no page can write, says `same-origin`.
 */
export function isSameOrigin(
  request: { headers: { get(name: string): string | null } },
  configuration: Partial<Pick<Env, 'SERVICE_PUBLIC_URL'>> & Pick<Env, 'isProduction'> = env(),
): boolean {
  const origin = request.headers.get('origin');
  const site = request.headers.get('sec-fetch-site');
  if (origin === null) return site === null || site === 'same-origin' || site === 'none';
  // A sandboxed frame and a page of another site are `null` too, and then never `same-origin`.
  if (origin === 'null') return site === 'same-origin';
  const { SERVICE_PUBLIC_URL, isProduction } = configuration;
  if (origin === SERVICE_PUBLIC_URL) return true;
  // In production the public address is the only one; elsewhere the same server is also reached by this machine's names.
  return !isProduction && origin === reachedOrigin(request.headers);
}
