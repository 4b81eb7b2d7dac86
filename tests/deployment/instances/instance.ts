import { deepStrictEqual } from 'node:assert';
import { type ChildProcess, spawn } from 'node:child_process';
import { nextFreePort } from '#lib/local/serving/serve.ts';
import { lastWords, stopProcess, untilAnswers } from '../child.ts';
import type { Deployment } from '../deployment.ts';
import { UNPRIVILEGED } from '../host/debian.ts';
import type { Service } from '../service.ts';

export type TreeInstance = {
  url: string;
  child: ChildProcess;
  /** From its start to its first 200. */
  readySeconds: number;
  /** The errors of its log, one line each. */
  errors(): string[];
};

/** Servers that start at the same time look for a free port apart. */
let firstPort = 20_000 + Math.floor(Math.random() * 4_000);

/** One server of the tree, as the image starts it; with other `flags`, under these alone and without what the image sets beside them. Returns once `/api/ready` answers 200. */
export async function startInstance(
  on: Deployment,
  { tree, env }: Pick<Service, 'tree' | 'env'>,
  flags: readonly string[] = on.image.flags,
): Promise<TreeInstance> {
  const beganAt = performance.now();
  firstPort += 10;
  const port = await nextFreePort(firstPort);
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
  await untilAnswers('an instance to be ready', { child, said }, async () => {
    // A server that takes the connection and never answers is not ready either.
    const answer = await fetch(`${url}/api/ready`, { signal: AbortSignal.timeout(10_000) });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`/api/ready answers ${answer.status} ${text.slice(0, 300)}`);
  });
  return {
    url,
    child,
    readySeconds: (performance.now() - beganAt) / 1000,
    errors: () =>
      said()
        .split('\n')
        .filter((line) => /"level":"error"|EROFS|EACCES|ERR_ACCESS_DENIED/.test(line)),
  };
}

/** Throws unless each answers that it can serve. */
export async function requireReady(instances: readonly TreeInstance[]): Promise<void> {
  const ready = await Promise.all(instances.map(async ({ url }) => (await fetch(`${url}/api/ready`)).status));
  deepStrictEqual(new Set(ready), new Set([200]));
}
