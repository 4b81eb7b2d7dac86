import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { measureInChild } from './measure-in-child.ts';
import type { MeasuredTracks } from './measure-tracks.ts';
import type { ClipFormat } from './media-types.ts';

/** Bytes hashed in one go, a few milliseconds: a clip has up to a hundred million, and everybody else waits meanwhile. */
const PIECE_BYTES = 2 * 1024 * 1024;

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
  const key = `${format}:${await hashInPieces(bytes)}`;
  const known = remembered.get(key);
  if (known) return known;
  const measured = await measure(bytes, format);
  remembered.set(key, measured);
  return measured;
}

/** The SHA-256 of a file of any size; others have their turn between two pieces. */
async function hashInPieces(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES) {
    if (at > 0) await new Promise<void>((turn) => setImmediate(turn));
    hash.update(bytes.subarray(at, at + PIECE_BYTES));
  }
  return hash.digest('base64');
}
