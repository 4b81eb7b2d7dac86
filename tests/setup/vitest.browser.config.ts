import path from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * Files that change the demonstration account in passing (desk, identity, oauth), or their own process for good (chaos: its
 * environment, its addresses). Side by side, in a process each, after all others: those make accounts of their own.
 */
const ISOLATED = ['tests/e2e/account/{desk,identity,oauth}.test.ts', 'tests/e2e/studio/chaos.test.ts'];

/** Files that need the served app to themselves: the retention pass whose whole report they compare, the render runner's queue. */
const ALONE = ['tests/e2e/studio/{files,renders}.test.ts'];

// Two minutes of attacks are a command of their own: npm run exploits.
const exploits = Boolean(process.env.ATELIER_EXPLOITS);

// More than two cores have: a browser test waits for a third of its time.
const WORKERS = 3;

/** `--project browser` names all three, which run one after the other (docs/testing.md). */
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
          maxWorkers: WORKERS,
          sequence: { groupOrder: 1 },
          include: exploits ? [] : ['tests/e2e/**/*.test.ts'],
          exclude: [...ISOLATED, ...ALONE],
        },
      },
      {
        test: {
          name: 'isolated',
          maxWorkers: WORKERS,
          sequence: { groupOrder: 2 },
          include: exploits ? [] : ISOLATED,
        },
      },
      {
        test: {
          name: 'alone',
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
          include: exploits ? ['tests/exploits/*.test.ts'] : ALONE,
        },
      },
    ],
  },
});
