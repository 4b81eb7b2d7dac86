/** A stream gave more bytes than were allowed; the rest of it was not read. */
export class TooManyBytes extends RangeError {
  override readonly name = 'TooManyBytes';

  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
  }
}

/**
 * All the bytes of a stream, counted as they come whatever any header declared. Past `maxBytes` the stream is cancelled and
 * `TooManyBytes` thrown. No stream: no bytes. `count` hears of each piece before it is kept; what it throws ends the reading.
 */
export async function readCapped(
  stream: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
  count?: (bytes: number) => void,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new TooManyBytes(maxBytes);
    count?.(chunk.byteLength);
    chunks.push(chunk);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
