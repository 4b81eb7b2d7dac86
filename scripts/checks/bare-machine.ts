import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readOptions } from '#lib/local/options.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { foreignTo, hasVariable, isOfUser, watchProcesses } from './process-watch.ts';
import { whenInterrupted } from './when-interrupted.ts';

// npm run bare-check -- [--only start|test] [--keep]: `npm start` and `npm test` in a fresh clone of the last commit, as an ordinary user
// where this is root, with an empty home and a PATH of node, npm, git, sh and coreutils alone. Fails when either does, or when anything
// was executed or mapped that is neither in the clone (the repository and npm's packages) nor the C library. About 15 minutes on two
// quiet cores. Linux only.
const { values } = readOptions('npm run bare-check -- [--only start|test] [--keep]', {
  options: { only: { type: 'string' }, keep: { type: 'boolean', default: false } },
});
if (values.only !== undefined && !['start', 'test'].includes(values.only)) {
  console.error(`--only is start or test: ${values.only}`);
  process.exit(2);
}

const COREUTILS =
  '[ arch b2sum base32 base64 basename cat chgrp chmod chown chroot cksum comm cp csplit cut date dd df dir dirname du echo env expand expr factor false fmt fold groups head hostid id install join link ln logname ls md5sum mkdir mkfifo mknod mktemp mv nice nl nohup nproc numfmt od paste pathchk pinky pr printenv printf ptx pwd readlink realpath rm rmdir seq sha1sum sha224sum sha256sum sha384sum sha512sum shred shuf sleep sort split stat stdbuf stty sum sync tac tail tee test timeout touch tr true truncate tsort tty uname unexpand uniq unlink users vdir wc who whoami yes';
const TOOLS = ['node', 'npm', 'npx', 'git', 'sh', ...COREUTILS.split(' ')];
type Farm = { folder: string; targets: Map<string, string> };
type Outcome = { command: string; seconds: number; faults: string[] };

const root = await realpath(await mkdtemp(path.join(os.tmpdir(), 'atelier-bare-')));
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
const clone = path.join(root, 'clone');
const outcomes: Outcome[] = [];
let running: { child: ChildProcess; ended: Promise<unknown> } | undefined;
let isOver = false;
whenInterrupted(async (signal) => {
  isOver = true;
  // A Ctrl-C has reached it already, and a second one would cut it short; what it started is in the folder until it has ended.
  if (signal !== 'SIGINT') running?.child.kill(signal);
  await running?.ended;
  await clean();
});
try {
  await chmod(root, 0o755);
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', repositoryRoot, clone]);
  if (execFileSync('git', ['status', '--porcelain'], { cwd: repositoryRoot, encoding: 'utf8' }).trim())
    console.log('What is not committed is not checked.');
  const farm = await makeFarm();
  const env = await bareEnvironment(farm);
  if (user) await handOver(root, user);
  for (const name of ['start', 'test'])
    if (!isOver && (!values.only || values.only === name)) outcomes.push(await check(name, env, farm));
} finally {
  await clean();
}
for (const { command, seconds, faults } of outcomes) {
  console.log(`${faults.length === 0 ? '✓' : '✗'} ${command} on a bare machine (${seconds} s)`);
  for (const fault of faults) console.log(`  ${fault}`);
}
process.exit(!isOver && outcomes.every(({ faults }) => faults.length === 0) ? 0 : 1);

async function clean(): Promise<void> {
  if (values.keep) console.log(`Kept: ${root}`);
  else await rm(root, { recursive: true, force: true });
}

/** A folder of links to the tools that a bare machine has. */
async function makeFarm(): Promise<Farm> {
  const folder = path.join(root, 'bin');
  await mkdir(folder);
  const targets = new Map<string, string>();
  const places = (process.env.PATH ?? '')
    .split(path.delimiter)
    .filter((place) => place && !place.includes('node_modules'));
  for (const tool of TOOLS)
    for (const place of places) {
      const target = await realpath(path.join(place, tool)).catch(() => undefined);
      if (!target) continue;
      await symlink(target, path.join(folder, tool));
      targets.set(target, tool);
      break;
    }
  for (const needed of ['node', 'npm', 'git', 'sh'])
    if (![...targets.values()].includes(needed)) throw new Error(`${needed} is not in PATH`);
  return { folder, targets };
}

/** Nothing of ours: where packages come from is npm's configuration of this machine, and goes with it. */
async function bareEnvironment(farm: Farm): Promise<NodeJS.ProcessEnv> {
  const env: Record<string, string> = {
    PATH: farm.folder,
    HOME: path.join(root, 'home'),
    TMPDIR: path.join(root, 'tmp'),
    ATELIER_BARE_CHECK: root,
  };
  await mkdir(env.HOME as string);
  await mkdir(env.TMPDIR as string);
  for (const name of ['registry', 'cafile', 'https-proxy', 'proxy', 'noproxy']) {
    const value = execFileSync('npm', ['config', 'get', name], { encoding: 'utf8', cwd: '/' }).trim();
    if (value && value !== 'null' && value !== 'undefined')
      env[`npm_config_${name.replace('-', '_')}`] = value;
  }
  return env as NodeJS.ProcessEnv;
}

async function handOver(folder: string, to: { uid: number; gid: number }): Promise<void> {
  await chown(folder, to.uid, to.gid);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) await handOver(file, to);
    else if (!entry.isSymbolicLink()) await chown(file, to.uid, to.gid);
  }
}

async function check(name: string, env: NodeJS.ProcessEnv, farm: Farm): Promise<Outcome> {
  const beganAt = performance.now();
  const before = new Set((await readdir('/proc')).map(Number));
  const watch = watchProcesses((pid) =>
    user ? !before.has(pid) && isOfUser(pid, user.uid) : hasVariable(pid, `ATELIER_BARE_CHECK=${root}`),
  );
  const child = spawn(path.join(farm.folder, 'npm'), name === 'start' ? ['start'] : ['test'], {
    ...user,
    cwd: clone,
    env: name === 'start' ? { ...env, PORT: '0' } : env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const faults: string[] = [];
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const)
    from.on('data', (chunk: Buffer) => {
      to.write(chunk);
      output += chunk.toString();
      if (name === 'start' && output.includes('Ctrl-C arrête tout')) child.kill('SIGTERM');
    });
  const ended = new Promise<number | string>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (exit, signal) => resolve(exit ?? signal ?? 1));
  });
  running = { child, ended };
  const code = await ended;
  running = undefined;
  const seen = watch.stop();
  const gitPrograms = execFileSync('git', ['--exec-path'], { encoding: 'utf8' }).trim();
  if (name === 'start' && !output.includes('Atelier est prêt')) faults.push(`it never was ready (${code})`);
  if (name === 'test' && code !== 0) faults.push(`it failed (${code})`);
  const isTool = (file: string) => farm.targets.has(file) || file.startsWith(`${gitPrograms}/`);
  faults.push(...foreignTo(root, seen, isTool));
  return { command: `npm ${name}`, seconds: Math.round((performance.now() - beganAt) / 1000), faults };
}
