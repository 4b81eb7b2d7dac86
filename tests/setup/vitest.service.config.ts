import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { TEST_SECRETS } from './test-secrets.ts';
import { WORKERS } from './workers.ts';

/**
 * Files that change what a whole process shares (replaced modules of Next, the environment that is read once, the tracer, the dispatcher of
 * addresses, processes of their own), or that measure how long the event loop is blocked. Each gets its own process; all others share one per worker.
 */
const ISOLATED = [
  'tests/conformance/**/*.test.ts',
  'tests/api/{declarations,files,hostile}/**/*.test.ts',
  'tests/api/{docs/examples,mcp/{access,malformed-requests,proposals,protocol-errors,tool-list,tools,whole},oauth/authorize,studio/{callbacks,chosen-from,credit-form,long-names}}.test.ts',
  'tests/integration/{admin,scripts}/**/*.test.ts',
  'tests/integration/core/{faults,stopping}.test.ts',
  'tests/integration/local/{blob-server,env-file,migrations,migrations-cut,old-data,postgres,render-runner}.test.ts',
  'tests/integration/telemetry/{hygiene,spec-lists}.test.ts',
  'tests/integration/storage/{file-store,thumbnails/thumbnails}.test.ts',
  'tests/integration/brain/{context-reads,export-hold,imports/divide,imports/hostile-imports}.test.ts',
  'tests/integration/studio/{traces,renders/render-scenarios}.test.ts',
  'tests/integration/studio/composition/composition-{child,unavailable}.test.ts',
];

/** In milliseconds. Long enough for a busy machine: the limit only ends tests that would never end. `npm run deployment-test` needs more. */
const PATIENCE_MS = Number(process.env.TEST_TIMEOUT_MS ?? 600_000);

/** `--project service` means both projects: files that share a process, and files that have their own (docs/testing.md). */
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
