import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { withSession } from '#lib/local/postgres/session.ts';
import { nextFreePort } from '#lib/local/serving/serve.ts';
import { lastWords, runCommand, stopProcess, untilAnswers } from '../child.ts';

/** Whoever runs the servers: nobody in particular where this is root, which PostgreSQL refuses. */
export const UNPRIVILEGED = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

export type Programs = { postgres: string; pgbouncer: string };

/** Debian's own PostgreSQL and PgBouncer; installs them where this is root and apt is there, else throws what is missing. */
export function debianPrograms(): Programs {
  const missing = () => [
    ...(postgresFolder() ? [] : ['postgresql']),
    ...(pgbouncerFile() ? [] : ['pgbouncer']),
  ];
  installPackages(missing);
  return { postgres: postgresFolder() ?? '', pgbouncer: pgbouncerFile() ?? '' };
}

/** Installs the Debian packages that `missing` names, where this is root and apt is there; throws what is missing still. */
export function installPackages(missing: () => string[]): void {
  if (missing().length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const apt = (...args: string[]) => execFileSync('apt-get', args, { env, stdio: 'inherit' });
    apt('update', '-qq');
    apt('install', '-y', '-qq', '--no-install-recommends', ...missing());
  }
  const still = missing().join(' ');
  if (still) throw new Error(`Missing Debian packages: ${still} (apt-get install ${still}).`);
}

function postgresFolder(): string | undefined {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return undefined;
  const versions = readdirSync(root).sort((a, b) => Number(b) - Number(a));
  return versions
    .map((one) => path.join(root, one, 'bin'))
    .find((one) => existsSync(path.join(one, 'initdb')));
}

function pgbouncerFile(): string | undefined {
  return ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'].find((file) => existsSync(file));
}

export type RunningServer = { port: number; version: string; stop(): Promise<void> };

/** What PgBouncer opens for one database and one user. Fifty reserves at once wait for one row in the ledger's tests: each must have a connection to wait on. */
const POOL_SIZE = 60;

/** A PostgreSQL server of its own in `folder`, with one superuser, reached over loopback with its password. */
export async function startPostgres(
  programs: Programs,
  folder: string,
  owner: { name: string; password: string },
): Promise<RunningServer & { url(database: string): string }> {
  const passwordFile = path.join(folder, 'password');
  const data = path.join(folder, 'data');
  await ownFolder(folder);
  await writeFile(passwordFile, owner.password, { mode: 0o600 });
  if (UNPRIVILEGED.uid) await chown(passwordFile, UNPRIVILEGED.uid, UNPRIVILEGED.gid as number);
  const initdb = path.join(programs.postgres, 'initdb');
  const args = [
    '-D',
    data,
    '-U',
    owner.name,
    '-A',
    'scram-sha-256',
    '-E',
    'UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ];
  runCommand(initdb, [...args, `--pwfile=${passwordFile}`], { ...UNPRIVILEGED, cwd: folder });
  const port = await nextFreePort(25_000 + Math.floor(Math.random() * 5_000));
  const settings = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: folder,
    // A test file a core has a database of its own, and another that was just left; owners connect past the pooler.
    max_connections: Math.max(400, POOL_SIZE * (2 * availableParallelism() + 2)),
    fsync: 'off',
  };
  const child = spawn(
    path.join(programs.postgres, 'postgres'),
    ['-D', data, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    { ...UNPRIVILEGED, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const url = (database: string) =>
    `postgresql://${owner.name}:${owner.password}@127.0.0.1:${port}/${database}`;
  const version = await untilAnswers('PostgreSQL to answer', { child, said: lastWords(child) }, () =>
    withSession(url('postgres'), async (client) => {
      const { rows } = await client.query<{ version: string }>(
        "select current_setting('server_version') as version",
      );
      return rows[0]?.version ?? '';
    }),
  );
  return { port, version, url, stop: () => stopProcess(child, 'SIGINT') };
}

/** A PgBouncer in transaction mode before that server: every database, for the users given. */
export async function startPgBouncer(
  programs: Programs,
  folder: string,
  options: { postgresPort: number; users: readonly { name: string; password: string }[] },
): Promise<RunningServer> {
  await ownFolder(folder);
  const port = await nextFreePort(31_000 + Math.floor(Math.random() * 5_000));
  const users = path.join(folder, 'users.txt');
  const config = path.join(folder, 'pgbouncer.ini');
  await writeFile(users, options.users.map(({ name, password }) => `"${name}" "${password}"\n`).join(''));
  await writeFile(
    config,
    [
      '[databases]',
      `* = host=127.0.0.1 port=${options.postgresPort}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = scram-sha-256',
      `auth_file = ${users}`,
      'pool_mode = transaction',
      'max_client_conn = 2000',
      `default_pool_size = ${POOL_SIZE}`,
      // Databases of the tests come and go: their connections are not kept.
      'server_idle_timeout = 5',
      '',
    ].join('\n'),
  );
  const child = spawn(programs.pgbouncer, ['-q', config], {
    ...UNPRIVILEGED,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await untilAnswers('PgBouncer to listen', { child, said: lastWords(child) }, () => listening(port));
  const version = execFileSync(programs.pgbouncer, ['--version'], { encoding: 'utf8' }).split('\n')[0] ?? '';
  return { port, version, stop: () => stopProcess(child, 'SIGINT') };
}

/** Throws unless somebody listens there. */
function listening(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.destroy();
      resolve();
    });
  });
}

async function ownFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  if (UNPRIVILEGED.uid) await chown(folder, UNPRIVILEGED.uid, UNPRIVILEGED.gid as number);
}
