import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot, testFolder } from '#lib/local/paths.ts';
import { waitFor } from '#lib/local/processes.ts';
import { type DemoAccess, readDemoAccess, readRunningServer } from '#lib/local/state.ts';

export type ServedApp = {
  /** The origin of the running app, without a final slash. */
  baseUrl: string;
  /** The data folder of this run. `npm run admin` with `SERVICE_DATA_DIR` set to it uses the same database. */
  dataDir: string;
  demo: DemoAccess | undefined;
};

const START_LIMIT_MS = 2_400_000;

/** Runs `npm start` with its own data folder and build, so that a developer's running app is not disturbed. `stop` removes everything. */
export async function serveApp(): Promise<ServedApp & { stop(): Promise<void> }> {
  await mkdir(testFolder(), { recursive: true });
  const dataDir = await mkdtemp(path.join(testFolder(), 'e2e-'));
  const child = spawn(process.execPath, [path.join(repositoryRoot, 'scripts/start.ts')], {
    cwd: repositoryRoot,
    env: {
      ...cleanEnv(),
      SERVICE_DATA_DIR: dataDir,
      SERVICE_BUILD_DIR: '.tmp/next',
      PORT: '0',
      ATELIER_TEST_RUN: '1',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-20_000);
    });
  // The wait ends when the app serves or has ended, however long it builds. The limit is for a process that does neither.
  const server = await waitFor(
    async () => (child.exitCode === null && child.signalCode === null ? readRunningServer(dataDir) : 'ended'),
    START_LIMIT_MS,
    100,
  );
  if (server === undefined || server === 'ended') {
    const how = server
      ? `ended (${child.signalCode ?? child.exitCode})`
      : `did not serve in ${START_LIMIT_MS / 60_000} minutes`;
    await stop(child);
    throw new Error(`npm start ${how}; it said:\n${said}`);
  }
  return {
    baseUrl: server.url,
    dataDir,
    demo: await readDemoAccess(dataDir),
    async stop() {
      await stop(child);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The environment without the developer's own settings, which must not reach the run. */
export function cleanEnv(): NodeJS.ProcessEnv {
  const ours =
    /^(SERVICE_|STUDIO_|VERCEL|BLOB_|DATABASE_|CRON_SECRET|CALLBACK_SECRET|NODE_OPTIONS|NODE_ENV|VITEST|npm_)/;
  const kept = Object.entries(process.env).filter(([name]) => !ours.test(name));
  return Object.fromEntries(kept) as NodeJS.ProcessEnv;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  if (!(await waitFor(() => child.exitCode !== null || child.signalCode !== null, 90_000, 50)))
    child.kill('SIGKILL');
}
