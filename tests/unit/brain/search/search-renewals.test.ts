import { expect, test } from 'vitest';
import { SearchStore } from '#lib/brain/search/index/store.ts';
import type { Queries } from '#lib/db/types.ts';

test('a process writes segments anew for two accounts at once, once for each: the others do not wait, and have their turn when one ends, failed or not', async () => {
  const store = new SearchStore({} as Queries);
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const [a, b] = [store.renewing('a', () => first.promise), store.renewing('b', () => second.promise)];
  let done = 0;
  const work = async () => {
    done += 1;
  };
  expect([await store.renewing('a', work), await store.renewing('c', work), done]).toEqual([false, false, 0]);
  first.reject(new Error('cut'));
  await expect(a).rejects.toThrow('cut');
  expect([await store.renewing('c', work), await store.renewing('b', work), done]).toEqual([true, false, 1]);
  second.resolve();
  expect([await b, await store.renewing('a', work), await store.renewing('b', work), done]).toEqual([
    true,
    true,
    true,
    3,
  ]);
});
