import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';
import service from '#tests/setup/vitest.service.config.ts';

/** The time limit that vitest.config.ts gives to every test. */
const DEFAULT_MS = 600_000;
const OWN_LIMIT = /\}, (\d[\d_]*)\);|\},\n\s+(\d[\d_]*),\n\s*\);|\btimeout: (\d[\d_]*)/g;

test('no test on a database or in a browser has a limit of its own under the common one, which a busy machine would pass', async () => {
  const tests = path.join(repositoryRoot, 'tests');
  const files = (await readdir(tests, { recursive: true })).filter(
    (file) => file.endsWith('.test.ts') && !file.startsWith(`unit${path.sep}`),
  );
  const short = files.flatMap((file) =>
    [...readFileSync(path.join(tests, file), 'utf8').matchAll(OWN_LIMIT)]
      .map(([, ...found]) => Number(found.find(Boolean)?.replaceAll('_', '')))
      // Limits of some seconds are for waits that show that nothing happens, and for the calls of providers.
      .filter((limitMs) => limitMs >= 20_000 && limitMs < DEFAULT_MS)
      .map((limitMs) => `${file}: ${limitMs} ms`),
  );
  expect(files.length).toBeGreaterThan(150);
  expect(short).toEqual([]);
});

test('no connection of a test’s server is closed between two calls: in a process that was held, a caller would send on one that closes', async () => {
  const tests = path.join(repositoryRoot, 'tests');
  const files = (await readdir(tests, { recursive: true })).filter((file) => file.endsWith('.ts'));
  const served = files.filter((file) =>
    /import \{[^}]*\bcreateServer\b[^}]*\} from 'node:https?'/.test(
      readFileSync(path.join(tests, file), 'utf8'),
    ),
  );
  expect(served.length).toBeGreaterThan(20);
  const closing = served.filter(
    (file) => !/listenHere\(|keepAliveTimeout/.test(readFileSync(path.join(tests, file), 'utf8')),
  );
  expect(closing).toEqual([]);
});

test('a service file that replaces a module has its own process: beside others, what Next is replaced by would be missing, by their order', async () => {
  const tests = path.join(repositoryRoot, 'tests');
  const files = (await readdir(tests, { recursive: true })).filter((file) =>
    /^(api|integration|properties)\b.*\.test\.ts$/.test(file),
  );
  const replacing = files.filter((file) =>
    /\bvi\.mock\(|\/next-request\.ts'/.test(readFileSync(path.join(tests, file), 'utf8')),
  );
  expect(replacing.length).toBeGreaterThan(10);
  const projects = service.test?.projects as { test: { name: string; include: string[] } }[];
  const isolated = projects.find(({ test }) => test.name === 'isolated')?.test.include ?? [];
  const shared = replacing.filter(
    (file) => !isolated.some((glob) => path.matchesGlob(path.posix.join('tests', file), glob)),
  );
  expect(shared).toEqual([]);
});
