import { defineConfig } from 'vitest/config';
import { FOLDERS } from './folders.ts';

// The folder that `npm run mutate` was told; each worker of Stryker runs its tests, in one process.
const folder = FOLDERS[process.env.ATELIER_MUTATE ?? ''];
if (!folder) throw new Error('ATELIER_MUTATE names no folder of tests/mutation/folders.ts');

export default defineConfig({
  test: {
    name: 'mutation',
    include: folder.tests,
    isolate: false,
    pool: 'forks',
    // A slow test is no test that notices: Stryker alone ends what does not end, and says so.
    testTimeout: 600_000,
  },
});
