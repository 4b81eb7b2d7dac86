import path from 'node:path';
import { readJson, writeFileAtomic } from '../files.ts';

/** What the embedded runner can be asked to do instead of an honest run, for tests and demonstrations. */
export const RENDER_SCENARIOS = [
  'honest',
  'slow', // waits before it starts, as a busy CI does
  'killed', // dies half-way: a file is published, nobody calls back, the run is a failure
  'vanished', // the same, but the run seems to go on for ever
  'failed', // its first step fails: nothing published, nobody calls back
  'blackout', // the CI's quota is spent: failed at once, without a step
  'no-files', // claims success with nothing published
  'wrong-folder', // claims a file outside its folder
  'forged-callback', // signs with a secret that is not ours
] as const;
export type RenderScenario = (typeof RENDER_SCENARIOS)[number];

type RunStep = { name: string; status: 'in_progress' | 'completed'; conclusion: string | null };

/** State of one run on disk, in GitHub's words. */
export type RunRecord = {
  runId: string;
  scenario: RenderScenario;
  slowMs: number;
  status: 'queued' | 'in_progress' | 'completed';
  conclusion: 'success' | 'failure' | null;
  createdAt: string;
  startedAt: string | null;
  completedAt: string | null;
  steps: RunStep[];
};

export type AgentRecord = { pid: number; token: string | undefined };

type RunFiles = { folder: string; record: string; agent: string; event: string; log: string };

/** Where one run keeps its files. Throws on anything but a decimal run id. */
export function runFiles(runsFolder: string, runId: string): RunFiles {
  if (!/^\d{1,20}$/.test(runId)) throw new RangeError('run id is not a number');
  const folder = path.join(runsFolder, runId);
  const at = (name: string) => path.join(folder, name);
  return {
    folder,
    record: at('run.json'),
    agent: at('agent.json'),
    event: at('event.json'),
    log: at('log.txt'),
  };
}

/** The run's record, or undefined for a run that never was. */
export function readRecord(files: RunFiles): Promise<RunRecord | undefined> {
  return readJson<RunRecord>(files.record);
}

/** Replaces the record in one move: a reader never sees half of it. */
export function writeRecord(files: RunFiles, record: RunRecord): Promise<void> {
  return writeFileAtomic(files.record, JSON.stringify(record, null, 2));
}
