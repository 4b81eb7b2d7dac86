import { env } from '#lib/core/env.ts';

/** The service's own origin: the configured public one, else the one the request was sent to. */
export function serviceOrigin(request: Request): string {
  const configured = env().SERVICE_PUBLIC_URL;
  if (configured) return configured;
  const url = new URL(request.url);
  const host = request.headers.get('host') ?? url.host;
  return `${url.protocol}//${host}`;
}

/** The same for a page or an action, which have only headers. */
export function pageOrigin(headers: { get(name: string): string | null }): string {
  return env().SERVICE_PUBLIC_URL ?? reachedOrigin(headers);
}

/** The origin under which a request reached us, as its own headers say: the browser's `Host`, and how the connection came. */
export function reachedOrigin(headers: { get(name: string): string | null }): string {
  const protocol = headers.get('x-forwarded-proto')?.split(',')[0]?.trim() || 'http';
  return `${protocol}://${headers.get('host') ?? 'localhost'}`;
}
