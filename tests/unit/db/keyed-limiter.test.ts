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
