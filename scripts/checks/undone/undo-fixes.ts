import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readOptions } from '#lib/local/options.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { whenInterrupted } from '../when-interrupted.ts';
import { UNDONE_ACCEPTANCE } from './undone-acceptance.ts';
import { UNDONE_ACCOUNTS } from './undone-accounts.ts';
import { UNDONE_CLAIMS } from './undone-claims.ts';
import { UNDONE_FIXES, type UndoneFix } from './undone-fixes.ts';
import { UNDONE_LIVED } from './undone-lived.ts';
import { UNDONE_LOCK_ORDERS } from './undone-lock-orders.ts';
import { UNDONE_LOCKS } from './undone-locks.ts';
import { UNDONE_MOMENTS } from './undone-moments.ts';
import { UNDONE_PROVIDER_FIXES } from './undone-provider-fixes.ts';
import { UNDONE_SEARCH_FIXES } from './undone-search-fixes.ts';

// npm run undo-fixes [-- --only zip]: in a copy of the tree, undoes one fix after another (of docs/security.md, then of docs/faults/acceptance.md:
// --only "point"), runs the test that shows it, and says how it failed. Fails when a test passes without its fix. Up to a minute each.
const { values } = readOptions('npm run undo-fixes [-- --only "words"]', {
  options: { only: { type: 'string' } },
});
const wanted = (values.only ?? '').toLowerCase().split(/\s+/);
/** A test that says nothing by then hangs: a held loop cannot even end its own test. */
const LIMIT_MS = 180_000;

const fixes = [
  ...UNDONE_FIXES,
  ...UNDONE_PROVIDER_FIXES,
  ...UNDONE_ACCOUNTS,
  ...UNDONE_ACCEPTANCE,
  ...UNDONE_SEARCH_FIXES,
  ...UNDONE_LIVED,
  ...UNDONE_LOCKS,
  ...UNDONE_CLAIMS,
  ...UNDONE_LOCK_ORDERS,
  ...UNDONE_MOMENTS,
].filter(({ exploit, file, test }) => {
  const said = `${exploit} ${file} ${test}`.toLowerCase();
  return wanted.every((word) => said.includes(word));
});
if (fixes.length === 0) {
  console.error(`No fix is told with these words: ${values.only}`);
  process.exit(2);
}

const tree = await mkdtemp(path.join(os.tmpdir(), 'atelier-undone-'));
let running: ChildProcess | undefined;
whenInterrupted(() => {
  // The tests are a group of their own, which a Ctrl-C does not reach.
  killGroup(running);
  rmSync(tree, { recursive: true, force: true });
});
try {
  await copyTree();
  for (const fix of fixes) {
    const { failed, how } = await undo(fix);
    console.log(`${failed ? '✓' : '✗'} ${fix.exploit}\n  ${fix.file} undone, ${fix.test}: ${how}`);
    if (!failed) process.exitCode = 1;
  }
} finally {
  await rm(tree, { recursive: true, force: true });
}

/** What git knows, with the work that is not committed, and what is generated. */
async function copyTree(): Promise<void> {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: repositoryRoot,
    maxBuffer: 2 ** 26,
  });
  for (const file of [...listed.toString().split('\0').filter(Boolean), 'lib/db/generated']) {
    const from = path.join(repositoryRoot, file);
    // A file that git still lists may be deleted. Whatever else is not copied ends this: in a tree that lacks it, a test fails for that.
    if (existsSync(from)) await cp(from, path.join(tree, file), { recursive: true, force: true });
  }
  await symlink(path.join(repositoryRoot, 'node_modules'), path.join(tree, 'node_modules'));
}

async function undo(fix: UndoneFix): Promise<{ failed: boolean; how: string }> {
  const file = path.join(tree, fix.file);
  const source = await readFile(file, 'utf8');
  if (source.split(fix.find).length !== 2) throw new Error(`${fix.file} does not hold once: ${fix.find}`);
  await writeFile(
    file,
    source.replace(fix.find, () => fix.replace),
  );
  try {
    return await run(fix);
  } finally {
    await writeFile(file, source);
  }
}

async function run({ test, name }: UndoneFix): Promise<{ failed: boolean; how: string }> {
  const project = test.startsWith('tests/unit/') ? 'unit' : 'service';
  const pattern = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/%[sjo]|\\\$\w+/g, '.*');
  const startedAt = performance.now();
  const child = spawn(
    path.join(tree, 'node_modules/.bin/vitest'),
    ['run', '--project', project, test, '-t', pattern, '--bail', '1'],
    { cwd: tree, detached: true, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, NO_COLOR: '1' } },
  );
  running = child;
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  const code = await ended(child);
  running = undefined;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  if (code === 'late') return { failed: true, how: `no answer in ${seconds} s, stopped` };
  if (!/Tests +.*\b[1-9]\d* (failed|passed)/.test(said))
    throw new Error(`${test} did not run:\n${said.slice(-2_000)}`);
  const reasons = said.match(/^\s*(?:\w*Error|→).*$/gm)?.map((line) => line.trim()) ?? [];
  return {
    failed: code !== 0,
    how: code === 0 ? 'PASSED without its fix' : (reasons[0] ?? 'failed').slice(0, 220),
  };
}

function ended(child: ChildProcess): Promise<number | 'late'> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      killGroup(child);
      resolve('late');
    }, LIMIT_MS);
    child.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    // At « exit », the end of what it said may still be on its way.
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve(code ?? 1);
    });
  });
}

function killGroup(child: ChildProcess | undefined): void {
  if (child?.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
