import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';

// In a bundle, `import.meta.dirname` is the folder of the bundle: only this path, which no type checks, finds the program.
test('every program that runs in a child process is looked for in the folder where it is', () => {
  const found = globSync('lib/**/*.ts', { cwd: repositoryRoot }).flatMap((file) => {
    const text = readFileSync(path.join(repositoryRoot, file), 'utf8');
    const program = /findEntry\(FOLDERS, '([^']+)'\)/.exec(text)?.[1];
    if (!program) return [];
    const folder = /join\(\s*process\.cwd\(\), ([^)]+)\)/.exec(text)?.[1] ?? '';
    const parts = [...folder.matchAll(/'([^']+)'/g)].map(([, part]) => part ?? '');
    const entry = path.posix.join(...parts, program);
    return [{ file, entry, isThere: existsSync(path.join(repositoryRoot, entry)) }];
  });
  expect(found.length).toBeGreaterThanOrEqual(4);
  expect(found.filter(({ isThere }) => !isThere)).toEqual([]);
});
