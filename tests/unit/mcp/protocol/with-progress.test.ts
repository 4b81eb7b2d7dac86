import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { withProgress } from '#lib/mcp/protocol/with-progress.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A caller who receives `limit` messages and then hangs up. */
function caller(limit = Number.POSITIVE_INFINITY) {
  const heard: [number, number | null, string][] = [];
  return {
    heard,
    async progress(done: number, total: number | null, message: string) {
      if (heard.length >= limit) throw new Error('hung up');
      heard.push([done, total, message]);
    },
  };
}

test('a caller hears at once and every ten seconds that a long work goes on, in numbers that grow, and nothing after its end', async () => {
  const call = caller();
  const { promise, resolve } = Promise.withResolvers<string>();
  const waiting = withProgress(call, 'En cours', () => promise);
  await vi.advanceTimersByTimeAsync(25_000);
  const told = [0, 10, 20].map((seconds) => [seconds, null, 'En cours']);
  expect(call.heard).toEqual(told);
  resolve('faite');
  expect(await waiting).toBe('faite');
  await vi.advanceTimersByTimeAsync(60_000);
  expect([call.heard, vi.getTimerCount()]).toEqual([told, 0]);
});

test('who hung up before a work began has none begun; one that began is done, and answers, though nobody can be told', async () => {
  const work = vi.fn(async () => 'faite');
  await expect(withProgress(caller(0), 'En cours', work)).rejects.toThrow('hung up');
  expect(work).not.toHaveBeenCalled();
  const { promise, resolve } = Promise.withResolvers<string>();
  const waiting = withProgress(caller(1), 'En cours', () => promise);
  await vi.advanceTimersByTimeAsync(30_000);
  resolve('faite');
  expect(await waiting).toBe('faite');
});

test('a work that fails throws what it throws, and its caller hears no more of it', async () => {
  const call = caller();
  const fails = () => Promise.reject(new Error('refused'));
  await expect(withProgress(call, 'En cours', fails)).rejects.toThrow('refused');
  await vi.advanceTimersByTimeAsync(60_000);
  expect([call.heard.length, vi.getTimerCount()]).toEqual([1, 0]);
});
