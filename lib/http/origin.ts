import { env } from '#lib/core/env.ts';

/** The service's own origin: the configured public one, else the one the request was sent to. */
export function serviceOrigin(request: Request): string {
  const configured = env().SERVICE_PUBLIC_URL;
  if (configured) return configured;
  const url = new URL(request.url);
  const host = request.headers.get('host') ?? url.host;
  return `${url.protocol}//${host}`;
}
