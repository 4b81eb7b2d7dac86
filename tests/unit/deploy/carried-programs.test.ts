import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';
import config from '../../../next.config.ts';
import { moduleClosure } from '../../../scripts/deploy/module-closure.ts';

const INCLUDES = Object.entries(config.outputFileTracingIncludes ?? {});

/** The files of ours that the build includes for a route. A key of the configuration matches anywhere in the route's address. */
function carriedFor(route: string): Set<string> {
  const patterns = INCLUDES.flatMap(([key, files]) => (route.includes(key) ? files : []));
  const own = patterns.filter((pattern) => !pattern.startsWith('./node_modules/'));
  const files = own.flatMap((pattern) => globSync(pattern, { cwd: repositoryRoot }));
  return new Set(files.map((file) => path.normalize(file)));
}

test('every route that asks for a generation carries the program that composes large pictures, with all of ours that it imports', () => {
  const { files } = moduleClosure(repositoryRoot, ['lib/studio/composition/composition-process.ts']);
  const asking = globSync('app/**/route.ts', { cwd: repositoryRoot }).filter((file) =>
    readFileSync(path.join(repositoryRoot, file), 'utf8').includes('#lib/studio/submission/submit-'),
  );
  expect(asking.length).toBeGreaterThan(3);
  for (const file of asking) {
    const carried = carriedFor(path.dirname(file).replace(/^app/, ''));
    // The package too, without which `#lib/…` cannot be resolved.
    expect(
      [...files, 'package.json'].filter((one) => !carried.has(one)),
      file,
    ).toEqual([]);
  }
});
