import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';

/** A file on its way elsewhere, too large to be held: what it is, and its bytes, which are read once. */
export type StreamedFile = { stream: AsyncIterable<Uint8Array>; bytes: number; sha256: string };

/** What was read is not the file that was told. */
export class OtherBytes extends Error {
  override readonly name = 'OtherBytes';

  constructor() {
    super('the bytes that were read are not those of the file');
  }
}

/**
 * The file's bytes as they are read, its last piece only once all of them are those that were told: whoever takes them never has a whole
 * file that is another, nor one of no end. Else the stream fails with `OtherBytes`, or as its source did, which `fault` then tells, and
 * `failed` is aborted: a store's client may go on waiting for the rest, or say something else of it. `goesOn` hears of each piece that was read.
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
      // Without a reason: the client knows by that of its own that nothing is to be tried again.
      failing.abort();
      throw error;
    }
  }
  const body = Readable.from(checked(), { objectMode: false });
  // Who pipes it may not listen, and one that nobody listens to ends the process.
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
