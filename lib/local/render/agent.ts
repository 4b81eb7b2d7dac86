/**
 * One run of the embedded runner, as a process of its own: plays the CI's agent around `scripts/render-runner.ts`. Outlives the
 * server that started it. Usage: node lib/local/render/agent.ts <runs folder> <run id>; CALLBACK_SECRET in the environment.
 */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from '../paths.ts';
import { type RunRecord, readRecord, runFiles, writeRecord } from './run-files.ts';

const [runsFolder = '', runId = ''] = process.argv.slice(2);
const files = runFiles(runsFolder, runId);
const first = await readRecord(files);
if (!first) throw new Error('no such run');
let record: RunRecord = first;
const { scenario } = record;

async function update(change: Partial<RunRecord>): Promise<void> {
  record = { ...record, ...change };
  await writeRecord(files, record);
}

const now = () => new Date().toISOString();

/** The event holds the upload tokens: they are gone before anybody reads that the run has ended. */
async function complete(change: Partial<RunRecord>): Promise<void> {
  await rm(files.event, { force: true });
  await update({ status: 'completed', completedAt: now(), ...change });
}

/** Runs the job's script. `killAt` ends it without mercy at that event of its log. */
function runScript(script: string, secret: string, killAt?: string): Promise<number> {
  const log = createWriteStream(files.log, { flags: 'a', mode: 0o600 });
  const reachStore = pathToFileURL(path.join(import.meta.dirname, 'reach-store.ts')).href;
  const child = spawn(process.execPath, ['--import', reachStore, path.join(repositoryRoot, script)], {
    cwd: repositoryRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    // An outside runner knows its event and the shared secret, and nothing else of ours (tests alone say where compiled code is kept).
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: process.env.NODE_ENV,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      GITHUB_EVENT_PATH: files.event,
      GITHUB_RUN_ID: runId,
      GITHUB_RUN_ATTEMPT: '1',
      CALLBACK_SECRET: secret,
      RENDER_SCENARIO: scenario,
    },
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    log.write(`${line}\n`);
    if (killAt && line.includes(`"event":"${killAt}"`)) child.kill('SIGKILL');
  });
  child.stderr.pipe(log, { end: false });
  return new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('close', (code) => {
      log.end(() => resolve(code ?? 137));
    });
  });
}

/** A signal takes its time: a run that dies before it calls back calls where nobody is. */
async function cutCallback(): Promise<void> {
  const event = JSON.parse(await readFile(files.event, 'utf8')) as { inputs: Record<string, string> };
  event.inputs.callback_url = 'http://127.0.0.1:1/';
  await writeFile(files.event, JSON.stringify(event), { mode: 0o600 });
}

async function run(): Promise<void> {
  if (scenario === 'blackout') {
    await complete({ conclusion: 'failure', startedAt: now(), steps: [] });
    return;
  }
  if (scenario === 'failed') {
    const conclusion = 'failure' as const;
    await complete({
      conclusion,
      startedAt: now(),
      steps: [{ name: 'Run node scripts/render-runner.ts', status: 'completed', conclusion }],
    });
    return;
  }
  if (scenario === 'slow') await new Promise((resolve) => setTimeout(resolve, record.slowMs));
  await update({
    status: 'in_progress',
    startedAt: now(),
    steps: [{ name: 'Run node scripts/render-runner.ts', status: 'in_progress', conclusion: null }],
  });
  const own = process.env.CALLBACK_SECRET ?? '';
  const dies = scenario === 'killed' || scenario === 'vanished';
  if (dies) await cutCallback();
  const dishonest = scenario === 'no-files' || scenario === 'wrong-folder';
  const code = await runScript(
    dishonest ? 'lib/local/render/dishonest-runner.ts' : 'scripts/render-runner.ts',
    scenario === 'forged-callback' ? randomBytes(32).toString('hex') : own,
    dies ? 'render.uploaded' : undefined,
  );
  if (scenario === 'vanished') return;
  const conclusion = code === 0 ? 'success' : 'failure';
  await complete({
    conclusion,
    steps: record.steps.map((step) => ({ ...step, status: 'completed', conclusion })),
  });
}

try {
  os.setPriority(10);
} catch {
  // A courtesy to the server beside it; some systems refuse.
}
try {
  await run();
} finally {
  // Also of a run that vanished, or that broke: its upload tokens are gone with it.
  await rm(files.event, { force: true });
}
