import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { readJson } from '#lib/local/files.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { generateClient } from '#lib/local/prisma/client.ts';
import { failureLine, failuresOf, lastLines, type TestReport } from './reports/failures.ts';

// npm test: types, lint, then every vitest project (unit, service on a real PostgreSQL, browser). The last line counts it all, for the
// CI; those before it name what failed. With arguments (a path, vitest's options) only those tests run, nothing else is built or checked.
const bin = (name: string) => path.join(repositoryRoot, 'node_modules/.bin', name);
const children = new Set<ChildProcess>();
const hasGroups = process.platform !== 'win32';
const STOP_LIMIT_MS = 60_000;

function run(
  command: string,
  args: string[],
  { env = process.env, live = false }: { env?: NodeJS.ProcessEnv; live?: boolean } = {},
): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    // A group of its own: what the tests started (the app, its database) is stopped with them.
    const child = spawn(command, args, {
      cwd: repositoryRoot,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: hasGroups,
    });
    children.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        if (live) process.stdout.write(chunk);
        else output += chunk.toString();
      });
    child.on('error', (error) => resolve({ ok: false, output: error.message }));
    child.on('close', (code) => {
      children.delete(child);
      resolve({ ok: code === 0, output });
    });
  });
}

type Count = { passed: number; failures: string[] };

async function check(name: string, work: () => Promise<{ ok: boolean; output: string }>): Promise<Count> {
  const { ok, output } = await work();
  console.log(`${ok ? '✓' : '✗'} ${name}`);
  if (ok) return { passed: 1, failures: [] };
  console.log(output);
  return { passed: 0, failures: [failureLine(name, output)] };
}

async function types(): Promise<{ ok: boolean; output: string }> {
  // Types of routes that a former build or dev server left would be checked against today's files.
  for (const folder of ['.next/types', '.next/dev/types'])
    await rm(path.join(repositoryRoot, folder), { recursive: true, force: true });
  const generated = await run(bin('next'), ['typegen']);
  // One checker: each of the four that it starts by itself would learn the same types again, with the processor that the tests need.
  return generated.ok
    ? run(bin('tsc'), ['--noEmit', '--project', 'tsconfig.check.json', '--checkers', '1'])
    : generated;
}

/** Runs vitest and counts from its own report. A file that failed by itself counts as one failure. */
async function tests(args: string[]): Promise<Count> {
  const reportFile = path.join(repositoryRoot, '.tmp', `test-report.${process.pid}.json`);
  await mkdir(path.dirname(reportFile), { recursive: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const env = { ...process.env, ATELIER_TEST_RUN: '1' };
  const { ok } = await run(bin('vitest'), ['run', ...reporters, ...args], { env, live: true });
  const report = await readJson<TestReport>(reportFile);
  await rm(reportFile, { force: true });
  const said = ['vitest', ...args].join(' ');
  if (!report) return { passed: 0, failures: [failureLine(said, 'ended without a report')] };
  const failures = failuresOf(report, repositoryRoot);
  if (!ok && failures.length === 0) failures.push(failureLine(said, 'failed outside of its tests'));
  return { passed: report.numPassedTests, failures };
}

/**
 * The browser's half, then the other: each keeps every core busy by itself, and side by side they took a sixth longer, each in the other's way. The
 * build that the browser needs writes its own `next-env.d.ts`: the checks beside it read none.
 */
async function allTests(): Promise<Count[]> {
  return [await tests(['--project', 'browser']), await tests(['--project', 'unit', '--project', 'service'])];
}

async function everything(): Promise<Count[]> {
  const checks = Promise.all([
    check('types', types),
    check('lint', () => run(bin('biome'), ['check', '.', '--diagnostic-level=error'])),
  ]);
  const counts = await allTests();
  counts.push(...(await checks));
  return counts;
}

/** Sends `signal` to all that is running, and to what it started. */
function signalAll(signal: NodeJS.Signals): void {
  for (const child of children)
    try {
      if (hasGroups && child.pid) process.kill(-child.pid, signal);
      else child.kill(signal);
    } catch {
      // Its group ended meanwhile.
    }
}

let isStopping = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    const isAskedAgain = isStopping;
    isStopping = true;
    signalAll(isAskedAgain ? 'SIGKILL' : 'SIGTERM');
    if (isAskedAgain) process.exit(130);
    setTimeout(() => {
      signalAll('SIGKILL');
      process.exit(130);
    }, STOP_LIMIT_MS).unref();
  });

await generateClient();
// Asked to end before there was anything to stop.
if (isStopping) process.exit(130);
const args = process.argv.slice(2);
if (args.includes('--watch')) {
  const { status } = spawnSync(bin('vitest'), args, { cwd: repositoryRoot, stdio: 'inherit' });
  process.exit(status ?? 1);
}
const counts = args.length > 0 ? [await tests(args)] : await everything();
const passed = counts.reduce((sum, one) => sum + one.passed, 0);
const failures = counts.flatMap((one) => one.failures);
for (const line of lastLines(failures)) console.log(line);
console.log(`${passed} passed, ${failures.length} failed`);
process.exit(failures.length === 0 ? 0 : 1);
