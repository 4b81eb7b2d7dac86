import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { ProviderFailure } from '#lib/providers/ports.ts';
import type {
  RenderDispatch,
  RenderDispatched,
  RenderRunner,
  RenderStatus,
} from '#lib/providers/ports-render.ts';
import { readJson, readText, writeFileAtomic } from '../files.ts';
import { processToken } from '../processes.ts';
import {
  type AgentRecord,
  RENDER_SCENARIOS,
  type RenderScenario,
  type RunRecord,
  readRecord,
  runFiles,
  writeRecord,
} from './run-files.ts';

export type { RenderScenario } from './run-files.ts';

type EmbeddedRunnerOptions = {
  /** The data folder; runs are kept under `render-runs`. */
  dataDir: string;
  /** `CALLBACK_SECRET`, as the CI would hold it. */
  callbackSecret: string;
  /** The folder of the clone; default the working directory (this file may be bundled, so not its own place). */
  root?: string;
  /** For every dispatch; `queueRenderScenario` sets the next one alone. Default `honest`. */
  scenario?: RenderScenario;
  /** How long a `slow` run waits before it starts. */
  slowMs?: number;
  /** The page that shows a run, if there is one. */
  runUrl?: (runId: string) => string;
  now?: () => Date;
};

const KEEP_MS = 7 * 24 * 60 * 60 * 1000;
/** A run that fails without a step within this time never began: the CI's quota is spent. */
const BLACKOUT_MS = 10_000;

function runsFolder(dataDir: string): string {
  return path.join(path.resolve(dataDir), 'render-runs');
}

function nextScenarioFile(dataDir: string): string {
  return path.join(runsFolder(dataDir), 'next-scenario');
}

/** What the next dispatch alone will do, from any process that shares the data folder. */
export async function queueRenderScenario(dataDir: string, scenario: RenderScenario): Promise<void> {
  await mkdir(runsFolder(dataDir), { recursive: true });
  await writeFileAtomic(nextScenarioFile(dataDir), scenario);
}

async function takeScenario(dataDir: string): Promise<RenderScenario | undefined> {
  const file = nextScenarioFile(dataDir);
  const asked = (await readText(file))?.trim();
  if (asked === undefined) return undefined;
  await rm(file, { force: true });
  return RENDER_SCENARIOS.find((scenario) => scenario === asked);
}

/** Numbers that grow with time, as GitHub's do, and that two processes will not both pick. */
function newRunId(now: Date): string {
  return String(now.getTime() * 1000 + randomInt(1000));
}

function failure(reason: ProviderFailure['reason'], detail: string): ProviderFailure {
  return { outcome: 'failed', reason, retrySafe: 'surely-not-sent', detail, attempts: 1, elapsedMs: 0 };
}

/** Runs that ended over a week ago are deleted; their names tell their time. */
async function deleteOldRuns(folder: string, now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^\d+$/.test(name) || Number(name) / 1000 > now.getTime() - KEEP_MS) continue;
    await rm(path.join(folder, name), { recursive: true, force: true });
  }
}

function describe(record: RunRecord, runUrl: string | undefined): RenderStatus {
  const url = runUrl === undefined ? {} : { runUrl };
  if (record.status !== 'completed') return { outcome: 'running', ...url };
  if (record.conclusion === 'success') return { outcome: 'succeeded', ...url };
  const lastedMs = Date.parse(record.completedAt ?? '') - Date.parse(record.createdAt);
  const blackout = record.steps.length === 0 && lastedMs < BLACKOUT_MS;
  return { outcome: 'run-failed', conclusion: record.conclusion ?? 'failure', blackout, ...url };
}

/**
 * The outside runner of `npm start`, behind the same port as GitHub: each dispatch is a detached process that executes
 * `scripts/render-runner.ts` and speaks to the store and the callback over HTTP. Its state lives in the data folder, so it
 * survives the server and any process can read it.
 */
export function createEmbeddedRenderRunner(options: EmbeddedRunnerOptions): RenderRunner {
  const folder = runsFolder(options.dataDir);
  const now = options.now ?? (() => new Date());
  const urlOf = (runId: string) => options.runUrl?.(runId);

  return {
    async dispatch(request: RenderDispatch): Promise<RenderDispatched | ProviderFailure> {
      let made: string | undefined;
      let pid: number;
      let runId: string;
      let runUrl: string | undefined;
      try {
        const createdAt = now();
        await mkdir(folder, { recursive: true });
        await deleteOldRuns(folder, createdAt);
        runId = newRunId(createdAt);
        runUrl = urlOf(runId);
        const files = runFiles(folder, runId);
        await mkdir(files.folder, { mode: 0o700 });
        made = files.folder;
        await writeFileAtomic(files.event, JSON.stringify({ inputs: request.inputs }));
        await writeRecord(files, {
          runId,
          scenario: (await takeScenario(options.dataDir)) ?? options.scenario ?? 'honest',
          slowMs: options.slowMs ?? 15_000,
          status: 'queued',
          conclusion: null,
          createdAt: createdAt.toISOString(),
          startedAt: null,
          completedAt: null,
          steps: [],
        });
        pid = await start(options.root ?? process.cwd(), folder, runId, options.callbackSecret);
      } catch (error) {
        // Its event holds upload tokens, for a run that nobody will make.
        if (made !== undefined) await rm(made, { recursive: true, force: true }).catch(() => undefined);
        return failure(
          'unreachable',
          error instanceof Error ? error.message.slice(0, 500) : 'runner did not start',
        );
      }
      // It runs, whatever comes now: without this file only a death of its agent goes unseen, until the row's deadline.
      const agent: AgentRecord = { pid, token: processToken(pid) };
      await writeFileAtomic(runFiles(folder, runId).agent, JSON.stringify(agent)).catch(() => undefined);
      return { outcome: 'dispatched', runId, ...(runUrl === undefined ? {} : { runUrl }) };
    },

    async status(runId: string): Promise<RenderStatus | ProviderFailure> {
      if (!/^\d{1,20}$/.test(runId)) return failure('not-found', 'no such run');
      const files = runFiles(folder, runId);
      const record = await readRecord(files);
      if (!record) return failure('not-found', 'no such run');
      if (record.status === 'completed' || record.scenario === 'vanished')
        return describe(record, urlOf(runId));
      const agent = await readJson<AgentRecord>(files.agent);
      const alive =
        agent === undefined || (agent.token !== undefined && processToken(agent.pid) === agent.token);
      if (alive) return describe(record, urlOf(runId));
      // The agent is gone: either it has just finished, or it died and will never say so.
      const last = (await readRecord(files)) ?? record;
      if (last.status === 'completed') return describe(last, urlOf(runId));
      // What it would have deleted as it ended: upload tokens.
      await rm(files.event, { force: true });
      return {
        ...describe({ ...last, status: 'completed', conclusion: 'failure' }, urlOf(runId)),
        blackout: false,
      } as RenderStatus;
    },
  };
}

/** Starts the run's own process and lets go of it. */
function start(root: string, folder: string, runId: string, callbackSecret: string): Promise<number> {
  const agent = path.join(root, 'lib', 'local', 'render', 'agent.ts');
  const child = spawn(process.execPath, [agent, folder, runId], {
    cwd: root,
    detached: true,
    stdio: 'ignore',
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: process.env.NODE_ENV,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      CALLBACK_SECRET: callbackSecret,
    },
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => {
      child.unref();
      resolve(child.pid as number);
    });
  });
}
