import { afterEach, expect, test, vi } from 'vitest';
import { pollEvery } from '#app/_ui/poll-every.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a page asks while it is looked at, not once it is hidden, and at once when one comes back, until it is ended', () => {
  vi.useFakeTimers();
  const page = Object.assign(new EventTarget(), { hidden: false });
  vi.stubGlobal('document', page);
  const show = (hidden: boolean) => {
    page.hidden = hidden;
    page.dispatchEvent(new Event('visibilitychange'));
  };
  const poll = vi.fn();
  const stop = pollEvery(1_000, poll);
  vi.advanceTimersByTime(2_000);
  expect(poll).toHaveBeenCalledTimes(2);
  show(true);
  vi.advanceTimersByTime(60_000);
  expect(poll).toHaveBeenCalledTimes(2);
  show(false);
  expect(poll).toHaveBeenCalledTimes(3);
  vi.advanceTimersByTime(1_000);
  expect(poll).toHaveBeenCalledTimes(4);
  stop();
  show(false);
  vi.advanceTimersByTime(60_000);
  expect(poll).toHaveBeenCalledTimes(4);
});
