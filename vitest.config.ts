import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'service',
          include: ['tests/{unit,integration,api,properties,conformance}/**/*.test.ts'],
          globalSetup: ['tests/setup/global.ts'],
          pool: 'forks',
          // Limits tell a fault from patience: a machine that does other things passes too.
          testTimeout: 300_000,
          hookTimeout: 600_000,
        },
      },
      {
        test: {
          name: 'browser',
          // On a shared machine a browser can starve for seconds: one more try there, told in the report; none on one's own machine.
          retry: process.env.CI ? 1 : 0,
          // A page answers when the machine lets it: what is awaited is that it does, not how soon.
          expect: { poll: { timeout: 120_000, interval: 50 } },
          include: ['tests/e2e/**/*.test.ts'],
          globalSetup: ['tests/e2e/setup/global.ts'],
          pool: 'forks',
          // One browser at a time on one server: what a test times out on is the app, not its neighbour.
          fileParallelism: false,
          testTimeout: 600_000,
          hookTimeout: 600_000,
        },
      },
    ],
  },
});
