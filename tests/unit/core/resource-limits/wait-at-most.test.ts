import { expect, test } from 'vitest';
import { waitAtMost } from '#lib/core/resource-limits/wait-at-most.ts';

test('gives what the work gives, or its failure, when it comes in time', async () => {
  expect(await waitAtMost(Promise.resolve('done'), 60_000, 'late')).toBe('done');
  await expect(waitAtMost(Promise.reject(new TypeError('refused')), 60_000, 'late')).rejects.toThrow(
    'refused',
  );
});

test('gives the other value once the time is over, and a failure that comes later harms nobody', async () => {
  let fail: (error: Error) => void = () => {};
  const work = new Promise<string>((_, reject) => {
    fail = reject;
  });
  expect(await waitAtMost(work, 1, 'late')).toBe('late');
  fail(new Error('too late'));
  await new Promise((resolve) => setTimeout(resolve, 1));
});
