import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limitSilence, SilentStream } from '#lib/core/net/limit-silence.ts';

const SILENCE_MS = 30_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A stream that the test sends by hand, with the reasons for which it was cancelled. */
function sender() {
  const state: { send: (text: string) => void; end: () => void; cancelled: unknown[] } = {
    send: () => {},
    end: () => {},
    cancelled: [],
  };
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      state.send = (text) => controller.enqueue(new TextEncoder().encode(text));
      state.end = () => controller.close();
    },
    cancel: (reason) => void state.cancelled.push(reason),
  });
  return { stream, state };
}

const textOf = (read: { value?: Uint8Array | undefined }) => new TextDecoder().decode(read.value);

test('what comes in time is given whole, however long its reader takes between two pieces', async () => {
  const { stream, state } = sender();
  const reader = limitSilence(stream, SILENCE_MS).getReader();
  state.send('bon');
  expect(textOf(await reader.read())).toBe('bon');
  await vi.advanceTimersByTimeAsync(10 * SILENCE_MS);
  const waited = reader.read();
  await vi.advanceTimersByTimeAsync(SILENCE_MS - 1);
  state.send('jour');
  expect(textOf(await waited)).toBe('jour');
  state.end();
  expect(await reader.read()).toMatchObject({ done: true });
  expect(state.cancelled).toEqual([]);
  expect(vi.getTimerCount()).toBe(0);
});

test('a sender that falls silent is let go, and its reader told', async () => {
  const { stream, state } = sender();
  const reader = limitSilence(stream, SILENCE_MS).getReader();
  state.send('bon');
  await reader.read();
  const told = expect(reader.read()).rejects.toBeInstanceOf(SilentStream);
  // Timers are looked at before what has arrived: once more after it.
  await vi.advanceTimersByTimeAsync(SILENCE_MS + 1);
  await told;
  expect(state.cancelled).toEqual([expect.any(SilentStream)]);
});

test('a fault of the sender stays what it is, and a reader that goes away lets it go', async () => {
  const fault = new Error('connection reset');
  const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(fault) });
  await expect(limitSilence(broken, SILENCE_MS).getReader().read()).rejects.toBe(fault);

  const { stream, state } = sender();
  await limitSilence(stream, SILENCE_MS).cancel('gone');
  expect(state.cancelled).toEqual(['gone']);
});
