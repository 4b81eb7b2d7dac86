import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { repositoryRoot } from '#lib/local/paths.ts';
import type { Deployment } from './parts.ts';

/** Everything over HTTP, and the integration tests whose guarantees rest on transactions, locks and prepared statements. */
const SUITES = [
  'tests/api',
  'tests/integration/brain',
  'tests/integration/db',
  'tests/integration/ledger',
  'tests/integration/oauth',
  'tests/integration/storage',
  'tests/integration/studio',
];

/** Asks no database. */
const LEFT_OUT = ['--exclude', 'tests/integration/storage/probe-clip.test.ts'];

/** The suites, once, each signing in through PgBouncer in transaction mode. What they said is kept in `.tmp/deployment-suites.txt`. */
export async function runSuites(on: Deployment): Promise<void> {
  const suites = on.suites ?? SUITES;
  const beganAt = performance.now();
  const log = path.join(repositoryRoot, '.tmp/deployment-suites.txt');
  await mkdir(path.dirname(log), { recursive: true });
  const kept = createWriteStream(log);
  const vitest = path.join(repositoryRoot, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'service', ...suites, ...LEFT_OUT], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      TEST_DATABASE_URL: on.postgres.url('postgres'),
      TEST_DATABASE_POOLER: on.pooler,
      DATABASE_PREPARED: '0',
      NO_COLOR: '1',
    },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      kept.write(chunk);
    });
  const status = await new Promise<number | null>((resolve) => child.once('close', resolve));
  kept.end();
  await finished(kept);
  const summary = /^\s*Tests\s+(.*)$/m.exec(said)?.[1] ?? 'no summary';
  const seconds = ((performance.now() - beganAt) / 1000).toFixed(0);
  const what = `${suites.join(', ')} through PgBouncer: ${summary}, ${seconds} s`;
  const failures = [...new Set([...said.matchAll(/^ ?FAIL .*$/gm)].map(([line]) => line))];
  on.steps.push(status === 0 ? { what } : { what, fault: [...failures, log].join('\n    ') });
}
