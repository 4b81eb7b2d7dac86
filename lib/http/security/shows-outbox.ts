import { env } from '#lib/core/env.ts';

/**
 * Whether the outbox page exists for this request: outside production, and only for a browser on the same machine, because
 * whoever reads it can sign in as anybody (a preview deployment is on the open internet).
 */
export function showsOutbox(headers: { get(name: string): string | null }): boolean {
  if (env().isProduction || env().VERCEL !== undefined) return false;
  const host = headers.get('x-forwarded-host') ?? headers.get('host') ?? '';
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(host);
}
