import { createHash } from 'node:crypto';

/**
 * Idempotency key of a call that gave none: an assistant that repeats a call within the same UTC day (a timeout, a second
 * thought) adds nothing twice; the next day, or once the Memory is deleted, the same text may be added again.
 */
export function contentKey(
  input: { spaceId: string; pillar: string; parentId: string | null; title: string; body: string },
  now: Date,
): string {
  const { spaceId, pillar, parentId, title, body } = input;
  const content = JSON.stringify([now.toISOString().slice(0, 10), spaceId, pillar, parentId, title, body]);
  return `mcp-${createHash('sha256').update(content).digest('hex')}`;
}
