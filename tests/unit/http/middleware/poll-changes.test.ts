import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pollChanges } from '#lib/http/middleware/poll-changes.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The times of the polls and of the end, in milliseconds from the start. */
function stream() {
  const start = Date.now();
  const end = new AbortController();
  const polls: number[] = [];
  const ended: number[] = [];
  void pollChanges(end.signal, async () => void polls.push(Date.now() - start)).then(() =>
    ended.push(Date.now() - start),
  );
  return { end, polls, ended };
}

it('an open stream looks for changes at once and every five seconds, and ends after fifty', async () => {
  const { polls, ended } = stream();
  await vi.advanceTimersByTimeAsync(49_999);
  expect(polls).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((poll) => poll * 5_000));
  expect(ended).toEqual([]);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(ended).toEqual([50_000]);
  expect(polls).toHaveLength(10);
});

it('a stream that is given up, or whose instance stops, ends at once and looks no more', async () => {
  const { end, polls, ended } = stream();
  await vi.advanceTimersByTimeAsync(7_000);
  end.abort();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([polls, ended]).toEqual([[0, 5_000], [7_000]]);
});
