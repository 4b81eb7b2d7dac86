import { createHash } from 'node:crypto';

/**
 * Idempotency key of a call that gave none, made of what it asks: an assistant that repeats a call within the same UTC day (a timeout, a
 * second thought) does nothing twice; the next day the same may be asked again.
 */
export function contentKey(now: Date, ...asked: unknown[]): string {
  const content = JSON.stringify([now.toISOString().slice(0, 10), ...asked]);
  return `mcp-${createHash('sha256').update(content).digest('hex')}`;
}

/** Longer than any client waits for a call before it tries again. */
export const LATE_MS = 15 * 60_000;

/** The key that the same call had shortly before: another in the first minutes of a day alone, and null otherwise. What is paid or written is looked for under it too. */
export function lateContentKey(now: Date, ...asked: unknown[]): string | null {
  const key = contentKey(new Date(now.getTime() - LATE_MS), ...asked);
  return key === contentKey(now, ...asked) ? null : key;
}
