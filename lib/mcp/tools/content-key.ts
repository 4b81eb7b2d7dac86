import { createHash } from 'node:crypto';

/**
 * Idempotency key of a call that gave none, made of what it asks: an assistant that repeats a call within the same UTC day (a timeout, a
 * second thought) does nothing twice; the next day the same may be asked again.
 */
export function contentKey(now: Date, ...asked: unknown[]): string {
  const content = JSON.stringify([now.toISOString().slice(0, 10), ...asked]);
  return `mcp-${createHash('sha256').update(content).digest('hex')}`;
}
