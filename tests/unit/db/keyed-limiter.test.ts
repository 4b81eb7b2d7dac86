import { afterEach, expect, test, vi } from 'vitest';
import { KeyedLimiter } from '#lib/db/keyed-limiter.ts';

afterEach(() => void vi.useRealTimers());

test('work of one key runs at most two at a time, in the order asked, whatever fails; other keys do not wait', async () => {
  // A process that is held for a second would begin all that wait: here nothing waits for so long.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const limiter = new KeyedLimiter(2);
  let running = 0;
  let most = 0;
  const began: number[] = [];
  const work = (n: number) => async () => {
    began.push(n);
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    if (n % 3 === 0) throw new Error(`${n}`);
    return n;
  };
  const all = Promise.allSettled(Array.from({ length: 20 }, (_, n) => limiter.run('a', work(n))));
  expect(await limiter.run('b', async () => 'b')).toBe('b');
  const settled = await all;
  expect(settled.map((one) => (one.status === 'fulfilled' ? one.value : null))).toEqual(
    Array.from({ length: 20 }, (_, n) => (n % 3 === 0 ? null : n)),
  );
  expect(began).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect(most).toBe(2);
});

test('work that never ends holds its line for a second, not for ever', async () => {
  vi.useFakeTimers();
  const limiter = new KeyedLimiter(1);
  void limiter.run('a', () => new Promise(() => undefined));
  const next = limiter.run('a', async () => 'done');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await next).toBe('done');
});

test('a place in line that was given up is nobody’s: who waits behind it has the next turn', async () => {
  vi.useFakeTimers();
  const limiter = new KeyedLimiter(1);
  const ends: (() => void)[] = [];
  const slow = () => new Promise<void>((resolve) => void ends.push(resolve));
  const first = limiter.run('a', slow);
  const second = limiter.run('a', slow);
  await vi.advanceTimersByTimeAsync(900);
  const third = limiter.run('a', async () => 'third');
  // The second has waited its second and runs beside the first; the third waits for one of them.
  await vi.advanceTimersByTimeAsync(200);
  expect(ends).toHaveLength(2);
  ends[0]?.();
  await first;
  // No time passes: it is called, and does not wait for its own second to be over.
  await vi.advanceTimersByTimeAsync(0);
  expect(vi.getTimerCount()).toBe(0);
  expect(await third).toBe('third');
  ends[1]?.();
  await second;
});
