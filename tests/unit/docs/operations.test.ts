import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';

const read = (file: string) => readFileSync(path.join(repositoryRoot, file), 'utf8');

/** The names of the warnings and errors that are logged, directly or by work that runs after an answer. */
const LOGGED =
  /\b(?:log|stdoutLogger)\.(?:warn|error)\(\s*'([\w.]+)'|\b(?:runLater|afterAnswer)\(\s*'([\w.]+)'/g;

test('docs/operations.md says what every warning and every error of the log means', () => {
  const events = new Set(
    globSync('{app,lib}/**/*.{ts,tsx}', { cwd: repositoryRoot }).flatMap((file) =>
      [...read(file).matchAll(LOGGED)].map(([, direct, later]) => direct ?? later ?? ''),
    ),
  );
  expect(events.size).toBeGreaterThan(45);
  const page = read('docs/operations.md');
  expect([...events].filter((event) => !page.includes(`\`${event}\``)).sort()).toEqual([]);
});
