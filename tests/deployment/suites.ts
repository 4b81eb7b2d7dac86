import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import { repositoryRoot } from '#lib/local/paths.ts';
import { stopProcess, tail } from './child.ts';
import type { Deployment } from './deployment.ts';

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
const LEFT_OUT = ['--exclude', 'tests/integration/storage/media/probe-clip.test.ts'];

/** All of it at once beside a pooler, on a machine that does other things: limits only tell a fault from patience, and here patience is longer. */
const PATIENCE_MS = '3600000';

/** The store's own suite on a real server of S3, with files of 50 MB. */
export async function runStore(on: Deployment): Promise<void> {
  const { version, env } = await on.store();
  const given = Object.fromEntries(Object.entries(env).map(([name, value]) => [`TEST_${name}`, value]));
  const file = 'tests/integration/storage/file-store.test.ts';
  const database = { TEST_DATABASE_URL: on.postgres.url('postgres') };
  await runTests(on, 'store', `the store’s suite on ${version}`, [file, '-t', 'file store: s3'], {
    ...given,
    ...database,
  });
}

/** The suites, once, each signing in through PgBouncer in transaction mode. */
export async function runSuites(on: Deployment): Promise<void> {
  const suites = on.suites ?? SUITES;
  await runTests(on, 'suites', `${suites.join(', ')} through PgBouncer`, [...suites, ...LEFT_OUT], {
    TEST_TIMEOUT_MS: PATIENCE_MS,
    TEST_DATABASE_URL: on.postgres.url('postgres'),
    TEST_DATABASE_POOLER: on.pooler,
    DATABASE_PREPARED: '0',
  });
}

/** What they say is kept in `.tmp/deployment-<part>.txt`; what failed is told with the first line of its reason. */
async function runTests(
  on: Deployment,
  part: string,
  name: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<void> {
  const beganAt = performance.now();
  const log = path.join(repositoryRoot, `.tmp/deployment-${part}.txt`);
  await mkdir(path.dirname(log), { recursive: true });
  const kept = createWriteStream(log);
  const vitest = path.join(repositoryRoot, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--project', 'service', ...args], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env, NO_COLOR: '1' },
  });
  on.stops.push(() => stopProcess(child, 'SIGTERM'));
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
  const what = `${name}: ${summary}, ${seconds} s`;
  const failures = [...new Set([...said.matchAll(/^ ?FAIL .*(?:\n.+)?$/gm)].map(([lines]) => lines))];
  // A name that no test has any more would pass without one.
  const isWell = status === 0 && /\b[1-9]\d* passed/.test(summary);
  const reasons = failures.length > 0 ? failures : [`it ended with ${status}: ${tail(said)}`];
  on.steps.push(isWell ? { what } : { what, fault: [...reasons, log].join('\n    ') });
}
