import { expect, test } from 'vitest';
import { readCapped, TooManyBytes } from '#lib/core/net/read-capped.ts';

const chunk = (size: number) => new Uint8Array(size).fill(7);

/** A stream that never ends by itself, and records whether it was cancelled. */
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

test('the bytes are the same whatever their sender said of their number, which nobody has to believe', async () => {
  const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 251);
  const stream = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        for (const from of [0, 400, 800]) controller.enqueue(bytes.subarray(from, from + 400));
        controller.close();
      },
    });
  for (const expectedBytes of [undefined, null, 0, -1, 1.5, Number.NaN, 399, 400, 999, 1000])
    expect(await readCapped(stream(), 1000, { expectedBytes }), String(expectedBytes)).toEqual(bytes);
  const told = await readCapped(stream(), 5000, { expectedBytes: 4000 });
  expect([told, told.buffer.byteLength]).toEqual([bytes, 1000]);
  await expect(readCapped(stream(), 999, { expectedBytes: 1000 })).rejects.toThrow(TooManyBytes);
});

test('bytes whose number is known are held once: each piece is in its place before the next is asked for', async () => {
  const pieces = [chunk(600), chunk(400)];
  const kept: number[] = [];
  const stream = (async function* () {
    for (const piece of pieces) {
      yield piece;
      // The sender overwrites what it gave, which a reader that kept references would show.
      kept.push(piece.fill(0).byteLength);
    }
  })();
  expect(await readCapped(stream, 1000, { expectedBytes: 1000 })).toEqual(chunk(1000));
  expect(kept).toEqual([600, 400]);
});

test('a fault of the sender stays what it is', async () => {
  const fault = new Error('connection reset');
  const stream = new ReadableStream({ pull: (controller) => controller.error(fault) });
  await expect(readCapped(stream, 10)).rejects.toBe(fault);
});
