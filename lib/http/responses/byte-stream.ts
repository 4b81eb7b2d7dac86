/** Pieces of at least this size are sent as they are; smaller ones are grouped. */
const PIECE_BYTES = 64 * 1024;

type Pieces = Iterator<string | Uint8Array> | AsyncIterator<string | Uint8Array>;

/**
 * Pieces of text or bytes as a response body, produced as fast as the reader takes them; the source is closed when the reader leaves. Yields
 * to the event loop after each 64 KB, however many pieces are ready.
 */
export function byteStream(pieces: Pieces): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream(
    {
      async pull(controller) {
        const ready: Uint8Array[] = [];
        let size = 0;
        while (size < PIECE_BYTES) {
          const { done, value } = await pieces.next();
          if (done) {
            if (size > 0) controller.enqueue(Buffer.concat(ready));
            controller.close();
            return;
          }
          const piece = typeof value === 'string' ? encoder.encode(value) : value;
          ready.push(piece);
          size += piece.length;
        }
        controller.enqueue(Buffer.concat(ready));
        await new Promise((turn) => setImmediate(turn));
      },
      async cancel() {
        await pieces.return?.(undefined);
      },
    },
    { highWaterMark: 1 },
  );
}
