// Makes sure that node_modules matches package-lock.json before an npm script needs it. Plain Node ≥ 20 built-ins:
// on a bare clone nothing else exists yet. Silent when there is nothing to do; safe to interrupt at any point.
import { spawn, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { installHook } from './checks/install-hook.mjs';

// By its URL: Node before 20.11 has no `import.meta.dirname`, and an address spells a space or an accent of a folder otherwise.
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const modules = path.join(root, 'node_modules');
const stampFile = path.join(modules, '.installed');
const lockFile = path.join(root, '.tmp', 'install.lock');

const read = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
};

const fingerprint = () =>
  createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .update(readFileSync(path.join(root, 'package.json')))
    .update(`${process.platform} ${process.arch}`)
    .digest('hex');

/** What a host runs after `npm ci --omit=dev`, on a Node of its own: the packages of production are enough. */
const PRODUCTION_EVENTS = ['prebuild', 'premigrate', 'preadmin', 'pregenerate', 'precontainer-tree'];
const isProductionEnough = () =>
  PRODUCTION_EVENTS.includes(process.env.npm_lifecycle_event ?? '') &&
  Number(process.versions.node.split('.')[0]) >= 24;

/** npm writes this hidden lockfile last: when it names the same versions, `npm install` already did the work. */
function sameAsInstalled({ production = false } = {}) {
  const hidden = read(path.join(modules, '.package-lock.json'));
  if (hidden === undefined) return false;
  try {
    const wanted = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')).packages;
    const present = JSON.parse(hidden).packages;
    for (const [place, entry] of Object.entries(wanted)) {
      if (place === '' || entry.link) continue;
      if (production && (entry.dev || entry.devOptional) && present[place] === undefined) continue;
      if (present[place] === undefined ? !entry.optional : present[place].version !== entry.version)
        return false;
    }
    return Object.keys(present).every((place) => wanted[place] !== undefined || foreignToLock(place));
  } catch {
    return false;
  }
}

/** Packages that an install script fetched by itself: the Node binary of this machine. */
const foreignToLock = (place) => /^node_modules\/node(-bin)?-(linux|darwin|win)-\w+$/.test(place);

/** The Node that every npm script runs on once installed. It is missing when install scripts were switched off. */
function nodeRuns() {
  const wanted = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).devDependencies?.node;
  const binary = path.join(modules, '.bin', 'node');
  if (!existsSync(binary)) return false;
  const { stdout } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  return stdout?.trim() === `v${wanted}`;
}

function stamp() {
  const next = `${stampFile}.${process.pid}`;
  writeFileSync(next, `${fingerprint()}\n`);
  renameSync(next, stampFile);
}

function upToDate() {
  if (read(stampFile)?.trim() === fingerprint()) return existsSync(path.join(modules, '.bin', 'node'));
  if (isProductionEnough() && sameAsInstalled({ production: true })) return true;
  if (!sameAsInstalled() || !nodeRuns()) return false;
  stamp();
  return true;
}

const alive = (pid) => {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
};

/** Tells a process from a later one of the same number, as each start of a container gives them anew: when it began. Empty where it cannot be told. */
const beganAt = (pid) => {
  const stat = process.platform === 'linux' ? read(`/proc/${pid}/stat`) : undefined;
  // The name in parentheses may hold spaces and parentheses.
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
};

const isDead = (file) => {
  const holder = read(file);
  if (holder === undefined) return false;
  const [pid, began = ''] = holder.split(' ');
  // What this process holds, it does not ask about: its own number is one of before.
  if (!alive(Number(pid)) || Number(pid) === process.pid) return true;
  const begins = beganAt(pid);
  return began !== '' && begins !== '' && began !== begins;
};

/** A link appears with its content or not at all: nobody takes a lock for dead because its number is not written yet. */
function linked(draft, file) {
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

/** A dead lock is cleared by one process at a time, who holds a lock of its own for that: a living one is never deleted. */
function take(draft, file) {
  if (linked(draft, file)) return true;
  const clearing = clearingOf(file);
  if (!isDead(file) || !take(draft, clearing)) return false;
  try {
    if (!isDead(file)) return false;
    rmSync(file, { force: true });
    return linked(draft, file);
  } finally {
    rmSync(clearing, { force: true });
  }
}

const clearingOf = (file) => `${file}.clearing`;

/** One install at a time per clone. The lock of a killed process is taken over. */
async function lock() {
  mkdirSync(path.dirname(lockFile), { recursive: true });
  const draft = `${lockFile}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, `${process.pid} ${beganAt(process.pid)}`.trim());
    for (let said = false; !take(draft, lockFile); ) {
      const [holder] = (read(clearingOf(lockFile)) ?? read(lockFile))?.split(' ') ?? [];
      if (!said && holder !== undefined) {
        console.error(`Another install is running in this folder (process ${holder}); waiting for it.`);
        said = true;
      }
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

function npmCi() {
  // `npm ci` deletes node_modules first, so it must not run on the Node that lies in there.
  const outside = (entry) => !entry.includes(`${path.sep}node_modules${path.sep}`);
  const env = { ...process.env };
  env.PATH = (env.PATH ?? '').split(path.delimiter).filter(outside).join(path.delimiter);
  for (const name of ['npm_config_omit', 'npm_config_production', 'npm_config_dry_run', 'NODE_ENV'])
    delete env[name];
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const cli = process.env.npm_execpath;
  const node = [process.env.npm_node_execpath, process.execPath].find((file) => file && outside(file));
  // Of another manager that runs our scripts (yarn), `ci` is no command.
  const isNpm = cli !== undefined && path.basename(cli) === 'npm-cli.js';
  const [command, ...rest] = isNpm && node ? [node, cli, ...args] : ['npm', ...args];
  return new Promise((resolve) => {
    const child = spawn(command, rest, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.on('error', (error) => {
      console.error(`npm could not be started: ${error.message}`);
      resolve(127);
    });
    child.on('exit', (code, signal) => resolve(signal ? 130 : (code ?? 1)));
  });
}

async function main() {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 20) {
    console.error(`Node 20 or newer is needed to begin (this is ${process.version}).`);
    return 1;
  }
  installHook(root);
  if (upToDate()) return 0;
  await lock();
  try {
    if (upToDate()) return 0;
    console.error('Installing dependencies (npm ci), about a minute the first time…');
    rmSync(stampFile, { force: true });
    const code = await npmCi();
    if (code !== 0) {
      console.error('npm ci did not finish. Nothing is lost: run the same command again.');
      return code;
    }
    if (!nodeRuns()) {
      console.error(
        'Node 24 is missing after the install: are npm install scripts switched off (ignore-scripts)?',
      );
      return 1;
    }
    stamp();
    return 0;
  } finally {
    rmSync(lockFile, { force: true });
  }
}

process.exitCode = await main();
