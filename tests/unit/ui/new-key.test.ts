import { globSync, readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { newKey } from '#app/_ui/new-key.ts';

const ROOT = new URL('../../../', import.meta.url);

afterEach(() => {
  vi.unstubAllGlobals();
});

test('a key is made where the browser has no randomUUID: a service tested over http on its own network', () => {
  const { crypto: whole } = globalThis;
  vi.stubGlobal('crypto', {
    getRandomValues: (values: Uint32Array<ArrayBuffer>) => whole.getRandomValues(values),
  });
  const keys = Array.from({ length: 200 }, newKey);
  expect(new Set(keys).size).toBe(200);
  // What an `Idempotency-Key` and a form field accept.
  for (const key of keys) expect(key).toMatch(/^[\d-]{7,64}$/);
});

test('no page makes one otherwise', () => {
  const files = globSync('app/**/*.{ts,tsx}', { cwd: ROOT });
  expect(files.length).toBeGreaterThan(300);
  // The call only: a comment may name it.
  expect(files.filter((file) => readFileSync(new URL(file, ROOT), 'utf8').includes('randomUUID('))).toEqual(
    [],
  );
});
