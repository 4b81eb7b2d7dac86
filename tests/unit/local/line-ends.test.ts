import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';

test('a clone has the same line ends whatever git is told on its machine: migrations are known by their sums', () => {
  const rules = readFileSync(path.join(repositoryRoot, '.gitattributes'), 'utf8').split('\n');
  expect(rules).toContain('* text=auto eol=lf');
});
