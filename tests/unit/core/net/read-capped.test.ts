import { expect, test } from 'vitest';
import { readCapped, TooManyBytes } from '#lib/core/net/read-capped.ts';

const chunk = (size: number) => new Uint8Array(size).fill(7);

/** A stream that never ends by itself, and tells whether it was cancelled. */
function endless(size: number) {
  const state = { given: 0, cancelled: false };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        state.given += 1;
        controller.enqueue(chunk(size));
      },
      cancel() {
        state.cancelled = true;
        return Promise.reject(new Error('the sender is gone'));
      },
    },
    { highWaterMark: 0 },
  );
  return { stream, state };
}

test('bytes are given whole up to the limit, included', async () => {
  const stream = new Blob([chunk(600), chunk(400)]).stream();
  expect(await readCapped(stream, 1000)).toEqual(chunk(1000));
  expect(await readCapped(null, 0)).toEqual(chunk(0));
});

test('a stream that gives one byte too many is cancelled at once, even when cancelling fails', async () => {
  const { stream, state } = endless(100);
  await expect(readCapped(stream, 250)).rejects.toThrow(TooManyBytes);
  expect(state).toEqual({ given: 3, cancelled: true });
});

test('a fault of the sender stays what it is', async () => {
  const fault = new Error('connection reset');
  const stream = new ReadableStream({ pull: (controller) => controller.error(fault) });
  await expect(readCapped(stream, 10)).rejects.toBe(fault);
});
