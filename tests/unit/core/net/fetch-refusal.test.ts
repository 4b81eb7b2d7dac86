import { expect, it, vi } from 'vitest';
import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';

it('is known by another copy of its module: pages and routes load one each, and share the ports that throw it', async () => {
  vi.resetModules();
  const copy = await import('#lib/core/net/fetch-refusal.ts');
  expect(copy.FetchRefusal).not.toBe(FetchRefusal);
  expect(new copy.FetchRefusal('timeout')).toBeInstanceOf(FetchRefusal);
  expect(new FetchRefusal('timeout') instanceof copy.FetchRefusal).toBe(true);
  for (const other of [new Error('FetchRefusal'), { name: 'FetchRefusal' }, null])
    expect(other instanceof FetchRefusal).toBe(false);
});
