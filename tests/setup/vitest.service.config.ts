import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { TEST_SECRETS } from './test-secrets.ts';
import { WORKERS } from './workers.ts';

/**
 * Files that change what a whole process has in common: modules of Next replaced, the environment that is read once, the tracer, the
 * dispatcher of addresses, processes of their own; and those that measure how long the loop is held. Each has a process for itself;
 * all others share one per worker.
 */
const ISOLATED = [
  'tests/conformance/**/*.test.ts',
  'tests/api/{declarations,files,hostile}/**/*.test.ts',
  'tests/api/{docs/examples,mcp/{mcp,proposals,protocol-errors,whole},oauth/authorize,studio/callbacks}.test.ts',
  'tests/integration/{admin,scripts}/**/*.test.ts',
  'tests/integration/core/{faults,stopping}.test.ts',
  'tests/integration/local/{blob-server,env-file,migrations,migrations-cut,old-data,postgres,render-runner}.test.ts',
  'tests/integration/telemetry/{hygiene,spec-lists}.test.ts',
  'tests/integration/storage/file-store.test.ts',
  'tests/integration/brain/{context-reads,export-hold,imports/divide,imports/hostile-imports}.test.ts',
  'tests/integration/studio/{traces,renders/render-scenarios}.test.ts',
  'tests/integration/studio/composition/composition-{child,unavailable}.test.ts',
];

/** A machine that does other things passes too: limits only tell a fault from patience. `npm run deployment-test` has more of it. */
const PATIENCE_MS = Number(process.env.TEST_TIMEOUT_MS ?? 600_000);

/** `--project service` names both: what shares a process, and what has one for itself (docs/testing.md). */
export default defineConfig({
  root: path.resolve(import.meta.dirname, '../..'),
  test: {
    name: 'service',
    globalSetup: ['tests/setup/global.ts'],
    pool: 'forks',
    maxWorkers: WORKERS,
    testTimeout: PATIENCE_MS,
    hookTimeout: PATIENCE_MS,
    expect: { poll: { timeout: 240_000, interval: 20 } },
    projects: [
      {
        test: {
          name: 'shared',
          isolate: false,
          env: TEST_SECRETS,
          include: ['tests/{integration,api,properties}/**/*.test.ts'],
          exclude: ISOLATED,
        },
      },
      { test: { name: 'isolated', include: ISOLATED } },
    ],
  },
});
