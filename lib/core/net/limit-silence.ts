import { waitAtMost } from '#lib/core/resource-limits/wait-at-most.ts';

/** Somebody waited for the next bytes of a stream, and none came in time. Its code is the system's for an answer that does not come. */
export class SilentStream extends Error {
  override readonly name = 'SilentStream';
  readonly code = 'ETIMEDOUT';

  constructor(silenceMs: number) {
    super(`nothing came for ${silenceMs} ms`);
  }
}

/**
 * The same stream, which fails with `SilentStream` and lets its sender go when its reader waits for more than `silenceMs` in vain. A
 * reader that takes its time is not counted: nothing is asked for meanwhile.
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
          // Not waited for: who does not send may not answer this either.
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
