import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { measureInChild } from './measure-in-child.ts';
import type { MeasuredTracks } from './measure-tracks.ts';
import type { ClipFormat } from './media-types.ts';

const remembered = new LRUCache<string, MeasuredTracks>({ max: 256 });

/**
 * `measureInChild`, which starts a process, at most once for the same bytes while this process remembers them: an upload is
 * measured by its callback and by its confirmation, a reference by each request that uses it. Failures are not remembered.
 */
export async function measureOnce(
  bytes: Uint8Array,
  format: ClipFormat,
  measure: (bytes: Uint8Array, format: ClipFormat) => Promise<MeasuredTracks> = measureInChild,
): Promise<MeasuredTracks> {
  const key = `${format}:${createHash('sha256').update(bytes).digest('base64')}`;
  const known = remembered.get(key);
  if (known) return known;
  const measured = await measure(bytes, format);
  remembered.set(key, measured);
  return measured;
}
