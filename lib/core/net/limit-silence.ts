import { waitAtMost } from '#lib/core/resource-limits/wait-at-most.ts';

/** The next bytes of a stream did not arrive in time. Its code is the system's for a timeout. */
export class SilentStream extends Error {
  override readonly name = 'SilentStream';
  readonly code = 'ETIMEDOUT';

  constructor(silenceMs: number) {
    super(`nothing came for ${silenceMs} ms`);
  }
}

/**
 * The same stream, which fails with `SilentStream` and cancels its source when a read waits for more than `silenceMs`. Time during which the
 * reader asks for nothing is not counted.
 */
export function limitSilence(
  stream: ReadableStream<Uint8Array>,
  silenceMs: number,
): ReadableStream<Uint8Array> {
  const reader = stream.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await waitAtMost<ReadableStreamReadResult<Uint8Array> | null>(
          reader.read(),
          silenceMs,
          null,
        );
        if (next === null) {
          const fault = new SilentStream(silenceMs);
          // Not awaited: a sender that is silent may not answer the cancellation either.
          reader.cancel(fault).catch(() => {});
          throw fault;
        }
        if (next.done) controller.close();
        else controller.enqueue(next.value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
