import { type ChildProcess, spawn } from 'node:child_process';
import { nextFreePort } from '#lib/local/serving/serve.ts';
import { until } from '#tests/setup/until.ts';
import { stopProcess, UNPRIVILEGED } from '../debian.ts';
import { type Deployment, lastWords } from '../parts.ts';

export type TreeInstance = {
  url: string;
  child: ChildProcess;
  /** The errors of its log, one line each. */
  errors(): string[];
};

/** One server of the tree among several, on the same database and store; returns once `/api/ready` answers 200. */
export async function startInstance(
  on: Deployment,
  tree: string,
  env: Record<string, string>,
): Promise<TreeInstance> {
  const port = await nextFreePort(20_000 + Math.floor(Math.random() * 4_000));
  const child = spawn(process.execPath, [...on.image.flags, 'server.js'], {
    ...UNPRIVILEGED,
    cwd: tree,
    env: { ...on.image.env, ...env, PORT: String(port) } as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  on.stops.push(() => stopProcess(child, 'SIGKILL'));
  const said = lastWords(child);
  const url = `http://127.0.0.1:${port}`;
  const state = await until('an instance to be ready', async () => {
    if (child.exitCode !== null) return 'ended';
    return (await fetch(`${url}/api/ready`)).status === 200 ? 'ready' : undefined;
  });
  if (state === 'ended') throw new Error(`an instance ended: ${said()}`);
  return {
    url,
    child,
    errors: () =>
      said()
        .split('\n')
        .filter((line) => line.includes('"level":"error"')),
  };
}
