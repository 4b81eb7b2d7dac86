/** A stream gave more bytes than were allowed; the rest of it was not read. */
export class TooManyBytes extends RangeError {
  override readonly name = 'TooManyBytes';

  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
  }
}

type ReadCappedOptions = {
  /** Hears of each piece before it is kept; what it throws ends the reading. */
  count?: ((bytes: number) => void) | undefined;
  /** How many bytes its sender says will come: room for them is made at once, so that they are not held twice. A wrong number costs a copy. */
  expectedBytes?: number | null | undefined;
};

/**
 * All the bytes of a stream, counted as they come whatever any header declared. Past `maxBytes` the stream is cancelled and
 * `TooManyBytes` thrown. No stream: no bytes.
 */
export async function readCapped(
  stream: AsyncIterable<Uint8Array> | null,
  maxBytes: number,
  { count, expectedBytes }: ReadCappedOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const isExpected = Number.isSafeInteger(expectedBytes) && (expectedBytes as number) <= maxBytes;
  const room = new Uint8Array(isExpected ? Math.max(0, expectedBytes as number) : 0);
  let filled = 0;
  const more: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new TooManyBytes(maxBytes);
    count?.(chunk.byteLength);
    if (more.length === 0 && size <= room.byteLength) {
      room.set(chunk, filled);
      filled = size;
    } else more.push(chunk);
  }
  if (size === room.byteLength) return room;
  const whole = new Uint8Array(size);
  whole.set(room.subarray(0, filled));
  let at = filled;
  for (const chunk of more) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
