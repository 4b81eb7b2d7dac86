import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync } from 'node:fs';
import { chown, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { readJson, readText, writeFileAtomic } from '../files.ts';
import { commandLine, isAlive, waitFor } from '../processes.ts';
import type { Place } from './place.ts';

/** Written after initdb succeeded: a cluster without it is half a cluster and is made again. */
export type ClusterMarker = {
  major: number;
  password: string;
  durable: boolean;
  /** Absent in a cluster from before the application had a role of its own. */
  appPassword?: string;
};

const MAJOR = 18;
const USER = 'atelier';
/** The role under which the application signs in; `atelier` owns the tables. */
export const APP_ROLE = 'atelier_app';
/** For a machine that does other things; what does not start ends by itself, at once. */
const START_LIMIT_MS = 600_000;
const markerFile = (base: string) => path.join(base, 'cluster.json');
const logFile = (base: string) => path.join(base, 'postgres.log');

/** Makes the cluster unless a whole one exists, and returns what connecting needs. */
export async function ensureCluster(place: Place, durable: boolean): Promise<ClusterMarker> {
  const marker = await readJson<ClusterMarker>(markerFile(place.base));
  if (marker && existsSync(path.join(place.cluster, 'PG_VERSION'))) {
    if (marker.major === MAJOR) return withAppPassword(place, marker);
    throw new Error(
      `The data in ${place.base} was written by PostgreSQL ${marker.major}; this is ${MAJOR}. Move that folder away to begin anew.`,
    );
  }
  // An incomplete cluster has no marker. One with an unreadable marker may hold somebody's data, and is never deleted here.
  if (!marker && existsSync(markerFile(place.base)) && existsSync(path.join(place.cluster, 'PG_VERSION')))
    throw new Error(
      `${markerFile(place.base)} cannot be read: put it back from a copy, or move ${place.base} away to begin anew.`,
    );
  await rm(markerFile(place.base), { force: true });
  await rm(place.cluster, { recursive: true, force: true });
  const password = randomBytes(24).toString('hex');
  await initialise(place, password, durable);
  return withAppPassword(place, { major: MAJOR, password, durable });
}

async function withAppPassword(place: Place, marker: ClusterMarker): Promise<ClusterMarker> {
  if (marker.appPassword) return marker;
  const whole = { ...marker, appPassword: randomBytes(24).toString('hex') };
  await writeFileAtomic(markerFile(place.base), `${JSON.stringify(whole)}\n`);
  return whole;
}

async function initialise(place: Place, password: string, durable: boolean): Promise<void> {
  const passwordFile = path.join(place.base, `initial-password.${process.pid}`);
  await mkdir(place.cluster, { mode: 0o700 });
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 });
  if (place.user) {
    await chown(place.cluster, place.user.uid, place.user.gid);
    await chown(passwordFile, place.user.uid, place.user.gid);
  }
  // C ordering is the same on every machine; the built-in C.UTF-8 knows upper and lower case of all of Unicode.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const args = [
    `--pgdata=${place.cluster}`,
    `--username=${USER}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
  ];
  try {
    await run(place, place.binaries.initdb, [
      ...args,
      ...locale,
      ...(durable ? [] : ['--no-sync']),
      '--no-instructions',
    ]);
  } finally {
    await rm(passwordFile, { force: true });
  }
}

async function run(place: Place, command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, {
    ...place.user,
    cwd: '/',
    env: cleanEnv(),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4000);
  });
  const code = await new Promise<number | string>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit, signal) => resolve(exit ?? signal ?? 1));
  });
  if (code !== 0) throw new Error(`${path.basename(command)} failed (${code}): ${said.trim()}`);
}

/** The developer's own PG… variables and locale must not reach this server. */
function cleanEnv(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^(PATH|TMPDIR|LD_LIBRARY_PATH|DYLD_.*)$/.test(name),
  );
  return { ...Object.fromEntries(kept), NODE_ENV: process.env.NODE_ENV, LC_ALL: 'C', TZ: 'UTC' };
}

export type Running = { pid: number; port: number };

/** The server that runs on this cluster now, proved by connecting to it; undefined when none does. */
export async function findRunning(place: Place, marker: ClusterMarker): Promise<Running | undefined> {
  return waitFor<Running | 'none'>(async () => {
    const file = await readPidFile(place);
    if (!file || !isAlive(file.pid) || !isPostmaster(file.pid, place)) return 'none';
    // The file names the process at once and the port a little later.
    if (file.port === undefined || file.status !== 'ready') return undefined;
    return (await answersFor(place, marker, file.port)) ? { pid: file.pid, port: file.port } : undefined;
  }, START_LIMIT_MS).then((found) => (found === 'none' ? undefined : found));
}

async function readPidFile(place: Place) {
  const text = await readText(path.join(place.cluster, 'postmaster.pid'));
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  const port = Number(lines[3]);
  return { pid: Number(lines[0]), port: port > 0 ? port : undefined, status: lines[7]?.trim() };
}

const isPostmaster = (pid: number, place: Place) => commandLine(pid).includes(place.cluster);

async function answersFor(place: Place, marker: ClusterMarker, port: number): Promise<boolean> {
  const client = new pg.Client({
    connectionString: connectionUrl(marker, port, 'postgres'),
    connectionTimeoutMillis: 30_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ folder: string }>(
      "select current_setting('data_directory') as folder",
    );
    return rows[0]?.folder === place.cluster;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Address of one database of the server, for its owner or for the application. */
export function connectionUrl(
  marker: ClusterMarker,
  port: number,
  database: string,
  as: 'owner' | 'application' = 'owner',
): string {
  const user = as === 'owner' ? `${USER}:${marker.password}` : `${APP_ROLE}:${marker.appPassword}`;
  return `postgresql://${user}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
}

/** Starts the server on this loopback port, or a free one, and waits until it answers. The caller holds the lock of the place. */
export async function startServer(place: Place, marker: ClusterMarker, samePort?: number): Promise<Running> {
  let reason = '';
  for (let attempt = 0; attempt < 8; attempt += 1) {
    await deleteStalePid(place);
    const port = samePort ?? (await freePort());
    const started = await tryStart(place, marker, port);
    if (typeof started !== 'string') return started;
    reason = started;
    // A port taken in between, or the last processes of a killed server still leaving: both pass.
    if (!/could not (bind|create any TCP)|still in use|lock file/.test(reason)) break;
    await new Promise((resolve) => setTimeout(resolve, 250 * (attempt + 1)));
  }
  throw new Error(`The embedded PostgreSQL did not start. ${logFile(place.base)} ends with:\n${reason}`);
}

/**
 * After a crash the pid file may name a number that another process has now, and PostgreSQL would refuse to start. A
 * number that no process can have lets it run its own check of leftover shared memory instead of skipping it.
 */
async function deleteStalePid(place: Place): Promise<void> {
  const file = path.join(place.cluster, 'postmaster.pid');
  const text = await readText(file);
  if (text === undefined) return;
  const pid = Number(text.split('\n')[0]);
  if (!isAlive(pid) || isPostmaster(pid, place)) return;
  const { uid, gid } = await stat(file);
  await writeFileAtomic(file, text.replace(/^.*/, '2147483647'));
  if (place.user) await chown(file, uid, gid);
}

/** A twentieth of the machine's memory, between 128 MB and 1 GB: an account's search index should lie in it. */
function sharedBuffers(durable: boolean): string {
  const megabytes = Math.round(totalmem() / 2 ** 20 / 20);
  return `${durable ? Math.min(1024, Math.max(128, megabytes)) : 128}MB`;
}

async function tryStart(place: Place, marker: ClusterMarker, port: number): Promise<Running | string> {
  const settings = {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '200',
    shared_buffers: sharedBuffers(marker.durable),
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_min_messages: 'warning',
    jit: 'off',
    ...(marker.durable
      ? {}
      : {
          fsync: 'off',
          synchronous_commit: 'off',
          full_page_writes: 'off',
          wal_level: 'minimal',
          max_wal_senders: '0',
        }),
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openSync(logFile(place.base), 'w', 0o600);
  const child = spawn(place.binaries.postgres, ['-D', place.cluster, ...flags], {
    ...place.user,
    cwd: '/',
    env: cleanEnv(),
    // A session of its own: Ctrl-C in the terminal reaches our process, which then stops the server in order.
    detached: true,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  let gone: string | undefined;
  child.on('error', (error) => {
    gone = error.message;
  });
  child.on('exit', (code, signal) => {
    gone = `exit ${code ?? signal}`;
  });
  child.unref();
  const ready = await waitFor<Running | 'gone'>(
    async () => {
      if (gone !== undefined) return 'gone';
      const file = await readPidFile(place);
      if (file?.pid !== child.pid || file?.status !== 'ready') return undefined;
      return (await answersFor(place, marker, port)) ? { pid: file.pid, port } : undefined;
    },
    START_LIMIT_MS,
    15,
  );
  if (ready !== undefined && ready !== 'gone') return ready;
  if (ready === undefined) child.kill('SIGKILL');
  const said = (await readFile(logFile(place.base), 'utf8').catch(() => '')).trim();
  return said.slice(-2000) || gone || `no answer within ${START_LIMIT_MS / 60_000} minutes`;
}

/** Stops the server and returns once it is gone: politely for two minutes, then not. */
export async function stopServer(pid: number): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGINT', 120_000],
    ['SIGQUIT', 20_000],
    ['SIGKILL', 20_000],
  ] as const) {
    if (!isAlive(pid)) return;
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    if (await waitFor(() => !isAlive(pid), patienceMs, 10)) return;
  }
}

/** A loopback port that nobody listens on now. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No port was given');
  return address.port;
}
