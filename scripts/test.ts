import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { generateClient } from '#lib/local/client.ts';
import { readJson } from '#lib/local/files.ts';
import { repositoryRoot } from '#lib/local/paths.ts';

// npm test: types, lint, then every vitest project (service on a real PostgreSQL, browser). The last line counts it all;
// the CI reads it.
const bin = (name: string) => path.join(repositoryRoot, 'node_modules/.bin', name);
const reportFile = path.join(repositoryRoot, '.tmp', `test-report.${process.pid}.json`);
const children = new Set<ChildProcess>();

function run(
  command: string,
  args: string[],
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: repositoryRoot, env, stdio: ['ignore', 'pipe', 'pipe'] });
    children.add(child);
    let output = '';
    const live = command === bin('vitest');
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

async function check(name: string, work: () => Promise<{ ok: boolean; output: string }>): Promise<boolean> {
  const { ok, output } = await work();
  console.log(`${ok ? '✓' : '✗'} ${name}`);
  if (!ok) console.log(output);
  return ok;
}

async function types(): Promise<{ ok: boolean; output: string }> {
  // Types of routes that a former build or dev server left would be checked against today's files.
  for (const folder of ['.next/types', '.next/dev/types'])
    await rm(path.join(repositoryRoot, folder), { recursive: true, force: true });
  const generated = await run(bin('next'), ['typegen']);
  return generated.ok ? run(bin('tsc'), ['--noEmit']) : generated;
}

type Report = {
  numPassedTests: number;
  numFailedTests: number;
  success: boolean;
  testResults: { status: string; assertionResults: unknown[] }[];
};

/** Runs vitest and counts from its own report. A file that could not even be read counts as one failure. */
async function tests(args: string[]): Promise<{ passed: number; failed: number }> {
  await mkdir(path.dirname(reportFile), { recursive: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
  const { ok } = await run(bin('vitest'), ['run', ...reporters, ...args], {
    ...process.env,
    ATELIER_TEST_RUN: '1',
  });
  const report = await readJson<Report>(reportFile);
  await rm(reportFile, { force: true });
  if (!report) return { passed: 0, failed: 1 };
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  );
  const failed = report.numFailedTests + broken.length;
  return { passed: report.numPassedTests, failed: !ok && failed === 0 ? 1 : failed };
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => {
    for (const child of children) child.kill('SIGTERM');
    setTimeout(() => process.exit(130), 5000).unref();
  });

await generateClient();
const checks = await Promise.all([
  check('types', types),
  check('lint', () => run(bin('biome'), ['check', '.', '--diagnostic-level=error'])),
]);
const { passed, failed } = await tests(process.argv.slice(2));
const sound = checks.filter(Boolean).length;
const total = { passed: passed + sound, failed: failed + checks.length - sound };
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);
