import { createHash } from 'node:crypto';

/**
 * Idempotency key of a call that gave none, derived from its arguments and the UTC day: a repeated call (a timeout, a second try) has no
 * second effect the same day; the next day it may.
 */
export function contentKey(now: Date, ...asked: unknown[]): string {
  const content = JSON.stringify([now.toISOString().slice(0, 10), ...asked]);
  return `mcp-${createHash('sha256').update(content).digest('hex')}`;
}

/** Longer than any client waits before it retries a call. */
export const LATE_MS = 15 * 60_000;

/**
 * The key that the same call had `LATE_MS` ago: yesterday's in the first minutes of a UTC day, null at any other time. Calls that pay or write
 * also look under it.
 */
export function lateContentKey(now: Date, ...asked: unknown[]): string | null {
  const key = contentKey(new Date(now.getTime() - LATE_MS), ...asked);
  return key === contentKey(now, ...asked) ? null : key;
}
