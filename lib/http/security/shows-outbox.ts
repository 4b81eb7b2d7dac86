import { equalInConstantTime } from '#lib/core/crypto.ts';
import { env } from '#lib/core/env.ts';

/** Whether this process has an outbox page at all: outside production, and started with a token for it. */
export function hasOutbox(): boolean {
  const { isProduction, VERCEL, SERVICE_OUTBOX_TOKEN } = env();
  return !isProduction && VERCEL === undefined && SERVICE_OUTBOX_TOKEN !== undefined;
}

/**
 * Whether the outbox page exists for who brings this token, printed where the service was started: whoever reads that page can
 * sign in as anybody, and headers say of a caller what the caller wants.
 */
export function showsOutbox(token: string | undefined): boolean {
  return (
    hasOutbox() && token !== undefined && equalInConstantTime(token, env().SERVICE_OUTBOX_TOKEN as string)
  );
}
