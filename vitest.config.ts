import path from 'node:path';
import { defineConfig } from 'vitest/config';
import LongestFirst from './tests/setup/longest-first.ts';
import { onOurNode } from './tests/setup/our-node.ts';
import { WORKERS } from './tests/setup/workers.ts';

onOurNode(import.meta.dirname);
// Compiled once: what every worker, and every process that a test starts, would compile again.
process.env.NODE_COMPILE_CACHE ??= path.join(import.meta.dirname, '.tmp/compile-cache');

// A machine that does other things passes too: limits only tell a fault from patience. What is awaited is that it happens, not how soon.
const PATIENCE = { testTimeout: 600_000, hookTimeout: 600_000 };

export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          // No database, no server, no browser: what a change of a rule is tried on.
          name: 'unit',
          isolate: false,
          include: ['tests/unit/**/*.test.ts'],
          pool: 'forks',
          maxWorkers: WORKERS,
          ...PATIENCE,
        },
      },
      // A real PostgreSQL: two projects, told apart by what they share (docs/testing.md).
      'tests/setup/vitest.service.config.ts',
      // The served app and its browsers: what runs beside another file, and what does not.
      'tests/setup/vitest.browser.config.ts',
    ],
  },
});
