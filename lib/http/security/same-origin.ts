import { env } from '#lib/core/env.ts';

/**
 * Whether a request that changes something comes from our own pages: its `Origin` is the service's, or it has none and
 * `Sec-Fetch-Site` does not betray another site (programs that carry a cookie by hand, like curl, send neither).
 */
export function isSameOrigin(request: { headers: { get(name: string): string | null } }): boolean {
  const origin = request.headers.get('origin');
  const site = request.headers.get('sec-fetch-site');
  if (origin === null) return site === null || site === 'same-origin' || site === 'none';
  if (origin === env().SERVICE_PUBLIC_URL) return true;
  try {
    return new URL(origin).host === request.headers.get('host');
  } catch {
    return false;
  }
}
