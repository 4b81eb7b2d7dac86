import { equalInConstantTime } from '#lib/core/crypto.ts';
import { type Env, env } from '#lib/core/env.ts';

type Configuration = Partial<Pick<Env, 'VERCEL' | 'SERVICE_OUTBOX_TOKEN'>> & Pick<Env, 'isProduction'>;

/** Whether this process has an outbox page at all: outside production, and started with a token for it. */
export function hasOutbox(configuration: Configuration = env()): boolean {
  const { isProduction, VERCEL, SERVICE_OUTBOX_TOKEN } = configuration;
  return !isProduction && VERCEL === undefined && SERVICE_OUTBOX_TOKEN !== undefined;
}

/**
 * Whether the outbox page exists for who brings this token, printed where the service was started: whoever reads that page can
 * sign in as anybody, and headers say of a caller what the caller wants.
 */
export function showsOutbox(token: string | undefined, configuration: Configuration = env()): boolean {
  const { SERVICE_OUTBOX_TOKEN: own } = configuration;
  if (!hasOutbox(configuration) || token === undefined || own === undefined) return false;
  return equalInConstantTime(token, own);
}
