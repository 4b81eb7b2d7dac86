import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { readCount, readOptions } from '#lib/local/options.ts';
import { repositoryRoot } from '#lib/local/paths.ts';

// npm run fuzz [-- --requests 60000 --seed 1]: generated requests to every way in, with the oracles of tests/api/hostile/fuzz.test.ts:
// no 5xx, no leak, no request that lasts, none that holds the event loop, no memory left behind. Says what the worst one cost.
const { values } = readOptions('npm run fuzz [-- --requests 60000 --seed 1]', {
  options: { requests: { type: 'string', default: '60000' }, seed: { type: 'string' } },
});
// Counted here: of a number that is none, the test would send nothing, and pass.
const requests = readCount('requests', values.requests);
const seed = values.seed === undefined ? undefined : readCount('seed', values.seed, 0);
const { status } = spawnSync(
  path.join(repositoryRoot, 'node_modules/.bin/vitest'),
  ['run', '--project', 'service', 'tests/api/hostile/fuzz.test.ts'],
  {
    cwd: repositoryRoot,
    stdio: 'inherit',
    env: {
      ...process.env,
      FUZZ_REQUESTS: String(requests),
      ...(seed === undefined ? {} : { FUZZ_SEED: String(seed) }),
    },
  },
);
process.exitCode = status ?? 1;
