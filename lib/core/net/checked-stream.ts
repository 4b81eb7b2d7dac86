import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

/** A file in transfer, too large to be held in memory: its announced size and SHA-256, and its bytes, which can be read once. */
export type StreamedFile = { stream: AsyncIterable<Uint8Array>; bytes: number; sha256: string };

/** The bytes read do not have the announced size or SHA-256. */
export class OtherBytes extends Error {
  override readonly name = 'OtherBytes';

  constructor() {
    super('the bytes that were read are not those of the file');
  }
}

/**
 * Passes the bytes on as they are read, and the last piece only once size and SHA-256 are those announced: the consumer never gets a complete
 * file that is another, nor an endless one. Otherwise the stream fails with `OtherBytes` or the source's error, which `fault` returns, and
 * `failed` is aborted: a store's client may go on waiting, or report another error. `goesOn` is called for each piece read.
 */
export function checkedStream(
  file: StreamedFile,
  goesOn: () => void = () => {},
): { body: Readable; failed: AbortSignal; fault: () => unknown } {
  const failing = new AbortController();
  let fault: unknown;
  async function* checked() {
    try {
      yield* withheld(file, goesOn);
    } catch (error) {
      fault = error;
      // Without a reason: by its own abort error, the client knows that nothing is to be retried.
      failing.abort();
      throw error;
    }
  }
  const body = Readable.from(checked(), { objectMode: false });
  // The consumer may not listen for errors, and an `error` event without a listener ends the process.
  body.on('error', () => undefined);
  return { body, failed: failing.signal, fault: () => fault };
}

async function* withheld({ stream, bytes, sha256 }: StreamedFile, goesOn: () => void) {
  const hash = createHash('sha256');
  let size = 0;
  let last: Uint8Array | undefined;
  for await (const piece of stream) {
    goesOn();
    if (piece.byteLength === 0) continue;
    size += piece.byteLength;
    if (size > bytes) throw new OtherBytes();
    hash.update(piece);
    if (last) yield last;
    last = piece;
  }
  if (size !== bytes || hash.digest('hex') !== sha256) throw new OtherBytes();
  if (last) yield last;
}
