import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import type { FileOutput } from '#lib/providers/ports.ts';
import type { StudioContext } from '../context.ts';
import { MAX_RESULT_BYTES, RESULT_FETCH_TIMEOUT_MS } from '../limits.ts';

/** `unusable`: asking again changes nothing. `later`: it may be there at the next attempt. */
type FetchedResult =
  | { result: 'bytes'; bytes: Uint8Array }
  | { result: 'unusable' | 'later'; reason: string };

const FINAL = new Set([
  'not-https',
  'host-not-allowed',
  'private-address',
  'too-large',
  'too-many-redirects',
]);

/** The bytes of a file that a provider delivered; its address is a stranger's and is read as one. */
export async function fetchResult(ctx: StudioContext, file: FileOutput): Promise<FetchedResult> {
  if (file.kind === 'bytes') return { result: 'bytes', bytes: file.bytes };
  const recorded = await ctx.studio.providers.openRecorded(file.url);
  if (recorded) {
    if (!recorded.ok) return { result: 'later', reason: `status ${recorded.status}` };
    return { result: 'bytes', bytes: new Uint8Array(await recorded.arrayBuffer()) };
  }
  try {
    const { bytes } = await ctx.studio.fetch(file.url, {
      maxBytes: MAX_RESULT_BYTES,
      timeoutMs: RESULT_FETCH_TIMEOUT_MS,
    });
    return { result: 'bytes', bytes };
  } catch (error) {
    if (!(error instanceof FetchRefusal)) throw error;
    return { result: FINAL.has(error.reason) ? 'unusable' : 'later', reason: error.reason };
  }
}
