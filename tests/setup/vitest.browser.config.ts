import path from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * Files that change the demonstration account (desk, identity, oauth) or their own process for good (chaos: its environment, its addresses). They run
 * side by side, each in its own process, after all other files, which create accounts of their own.
 */
const ISOLATED = ['tests/e2e/account/{desk,identity,oauth}.test.ts', 'tests/e2e/studio/chaos.test.ts'];

/** Files that need the served app for themselves: they compare the whole report of a retention pass, or use the queue of the render runner. */
const ALONE = ['tests/e2e/studio/{files,renders}.test.ts'];

// Two minutes of attacks, run only by their own command: npm run exploits.
const exploits = Boolean(process.env.ATELIER_EXPLOITS);

// More than two cores: a browser test spends a third of its time waiting.
const WORKERS = 3;

/** `--project browser` means all three projects, which run one after the other (docs/testing.md). */
export default defineConfig({
  root: path.resolve(import.meta.dirname, '../..'),
  test: {
    name: 'browser',
    globalSetup: ['tests/e2e/setup/global.ts'],
    pool: 'forks',
    // Long enough for a busy machine: these limits only end tests that would never end.
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
