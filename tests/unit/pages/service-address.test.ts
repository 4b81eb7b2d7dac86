import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const ROOT = new URL('../../../', import.meta.url);

test('no page has a rule of its own for the address of the service: behind a proxy it would show another', () => {
  const files = globSync('app/**/*.{ts,tsx}', { cwd: ROOT });
  expect(files.length).toBeGreaterThan(300);
  const own = files.filter((file) =>
    /\benv\(\)\.SERVICE_PUBLIC_URL|\.get\('host'\)/.test(readFileSync(new URL(file, ROOT), 'utf8')),
  );
  expect(own).toEqual([]);
});
