import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { FetchRefusal } from './fetch-refusal.ts';
import { readCapped, TooManyBytes } from './read-capped.ts';

type ReadBodyOptions = {
  maxBytes: number;
  encoding?: string | undefined;
  declaredLength?: string | undefined;
  signal: AbortSignal;
};

/**
 * The whole body, decoded. Both the bytes received and the bytes they decode to are counted as they come, and the reading
 * stops at the first one over `maxBytes`; a declared length is only believed when it already says too much, else it is a guess.
 */
export async function readBody(body: Readable, options: ReadBodyOptions): Promise<Uint8Array> {
  const { maxBytes } = options;
  const decoder = decoderFor(options.encoding);
  if (Number(options.declaredLength) > maxBytes) throw new FetchRefusal('too-large', { detail: 'declared' });
  const expectedBytes = decoder ? undefined : Number(options.declaredLength);
  const decoded = (source: AsyncIterable<Uint8Array>) => capped(source, { maxBytes, expectedBytes });
  return decoder
    ? pipeline(body, countReceived(maxBytes), decoder, decoded, { signal: options.signal })
    : pipeline(body, decoded, { signal: options.signal });
}

function decoderFor(encoding: string | undefined): Transform | null {
  switch (encoding?.trim().toLowerCase()) {
    case undefined:
    case '':
    case 'identity':
      return null;
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      // Stacked or unknown codings were not asked for and have no honest use here.
      throw new FetchRefusal('unreadable', { detail: 'content-encoding' });
  }
}

/** Empty compressed blocks decode to nothing for ever, so what arrives is bounded too. */
function countReceived(maxBytes: number) {
  return async function* (source: AsyncIterable<Uint8Array>) {
    let received = 0;
    for await (const chunk of source) {
      received += chunk.byteLength;
      if (received > maxBytes) throw new FetchRefusal('too-large', { detail: 'received' });
      yield chunk;
    }
  };
}

async function capped(
  source: AsyncIterable<Uint8Array>,
  { maxBytes, expectedBytes }: { maxBytes: number; expectedBytes: number | undefined },
): Promise<Uint8Array> {
  try {
    return await readCapped(source, maxBytes, { expectedBytes });
  } catch (error) {
    throw error instanceof TooManyBytes ? new FetchRefusal('too-large', { detail: 'decoded' }) : error;
  }
}
