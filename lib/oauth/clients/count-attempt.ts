import type { Context } from '#lib/core/context.ts';
import { countOne, minuteOf } from '#lib/identity/rate/rate-limit.ts';
import { tooManyRequests } from '../protocol/errors.ts';

/**
 * Counts one attempt of a network in the current minute, shared by all instances. `network` is a hash made by the route (`subscriptionName`),
 * never the address. Errors: `temporarily_unavailable` (429, with `Retry-After`) past `perMinute`.
 */
export async function countAttempt(
  ctx: Context,
  input: { what: 'register' | 'document'; network: string; perMinute: number },
): Promise<void> {
  const { windowStart, resetSeconds } = minuteOf(ctx.clock.now());
  const key = `oauth-${input.what}:${input.network}`;
  const counted = await countOne.first(ctx.kysely, { key, windowStart });
  if ((counted?.requests ?? 0) <= input.perMinute) return;
  throw tooManyRequests(resetSeconds);
}
