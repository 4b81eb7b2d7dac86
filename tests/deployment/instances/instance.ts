import { type ChildProcess, spawn } from 'node:child_process';
import { nextFreePort } from '#lib/local/serving/serve.ts';
import { until } from '#tests/setup/until.ts';
import { stopProcess, UNPRIVILEGED } from '../debian.ts';
import { type Deployment, lastWords } from '../parts.ts';
import type { Service } from '../service.ts';

export type TreeInstance = {
  url: string;
  child: ChildProcess;
  /** From its start to its first 200. */
  readySeconds: number;
  /** The end of its log. */
  said(): string;
  /** The errors of its log, one line each. */
  errors(): string[];
};

/** One server of the tree, as the image starts it; with other `flags`, under these alone and without what the image sets beside them. Returns once `/api/ready` answers 200. */
export async function startInstance(
  on: Deployment,
  { tree, env }: Pick<Service, 'tree' | 'env'>,
  flags: readonly string[] = on.image.flags,
): Promise<TreeInstance> {
  const beganAt = performance.now();
  const port = await nextFreePort(20_000 + Math.floor(Math.random() * 4_000));
  const child = spawn(process.execPath, [...flags, 'server.js'], {
    ...UNPRIVILEGED,
    cwd: tree,
    env: {
      ...on.image.env,
      // It goes with the flags: what keeps memory small, all of it, or none.
      ...(flags === on.image.flags ? {} : { MALLOC_ARENA_MAX: '' }),
      ...env,
      HOSTNAME: '127.0.0.1',
      PORT: String(port),
    } as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  on.stops.push(() => stopProcess(child, 'SIGKILL'));
  const said = lastWords(child);
  const url = `http://127.0.0.1:${port}`;
  const state = await until('an instance to be ready', async () => {
    if (child.exitCode !== null || child.signalCode !== null) return 'ended';
    // A server that takes the connection and never answers is not ready either.
    const answer = await fetch(`${url}/api/ready`, { signal: AbortSignal.timeout(10_000) });
    return answer.status === 200 ? 'ready' : undefined;
  }).catch((error: unknown) => {
    throw new Error(`${String(error)} It said: ${said()}`, { cause: error });
  });
  if (state === 'ended') throw new Error(`an instance ended: ${said()}`);
  return {
    url,
    child,
    readySeconds: (performance.now() - beganAt) / 1000,
    said,
    errors: () =>
      said()
        .split('\n')
        .filter((line) => /"level":"error"|EROFS|EACCES|ERR_ACCESS_DENIED/.test(line)),
  };
}
