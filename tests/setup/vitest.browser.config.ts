import path from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * Files that need the served app, or the process, to themselves: the demonstration account that they change in passing (desk, identity,
 * oauth), the retention pass whose whole report they compare (files), the queue of the render runner that they fill (renders), the
 * environment that they write (chaos). All others make accounts of their own, and run three at a time.
 */
const ISOLATED = [
  'tests/e2e/account/{desk,identity,oauth}.test.ts',
  'tests/e2e/studio/{chaos,files,renders}.test.ts',
];

// Two minutes of attacks are a command of their own: npm run exploits.
const exploits = Boolean(process.env.ATELIER_EXPLOITS);

/** `--project browser` names both: what runs beside another file, and what does not (docs/testing.md). */
export default defineConfig({
  root: path.resolve(import.meta.dirname, '../..'),
  test: {
    name: 'browser',
    globalSetup: ['tests/e2e/setup/global.ts'],
    pool: 'forks',
    // A machine that does other things passes too: limits only tell a fault from patience.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000, interval: 50 } },
    projects: [
      {
        test: {
          name: 'shared',
          // One process per worker, which loads Playwright and the service once for all its files.
          isolate: false,
          // More than two cores have: a browser test waits for a third of its time.
          maxWorkers: 3,
          sequence: { groupOrder: 1 },
          include: exploits ? [] : ['tests/e2e/**/*.test.ts'],
          exclude: ISOLATED,
        },
      },
      {
        test: {
          name: 'isolated',
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          include: exploits ? ['tests/exploits/*.test.ts'] : ISOLATED,
        },
      },
    ],
  },
});
