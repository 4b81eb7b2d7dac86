import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';

it.each([
  ['tests/chaos/run.ts', 'rounds', 'ten'],
  ['tests/chaos/run.ts', 'seed', '-1'],
  ['tests/load/run.ts', 'callers', '0'],
  ['tests/faults/run.ts', 'count', '1.5'],
  ['tests/drill/run.ts', 'memories', ''],
])('%s refuses a --%s that is no count (« %s »), before it begins', (command, option, value) => {
  const { status, stderr } = spawnSync(process.execPath, [command, `--${option}=${value}`], {
    cwd: repositoryRoot,
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(2);
  expect(stderr).toContain(`--${option} is a whole number`);
});
