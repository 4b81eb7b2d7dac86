import { deepStrictEqual } from 'node:assert';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenHere } from '#tests/setup/http/listen-here.ts';
import { lastWords, stopProcess, untilAnswers } from './child.ts';
import type { Deployment } from './deployment.ts';
import { UNPRIVILEGED } from './host/debian.ts';

const SECRET = 'of-the-deployment-test';

/**
 * Starts the tree's scheduler as its unit does, with an address of the test's for the service. What is given waits for its first call (after a
 * minute), ends it by SIGTERM, and throws unless it called with its secret and ended well.
 */
export async function startTreeScheduler(on: Deployment, tree: string): Promise<() => Promise<void>> {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.writeHead(200).end();
  });
  await listenHere(server);
  on.stops.push(async () => {
    server.close();
    server.closeAllConnections();
  });
  const child = spawn(process.execPath, ['scripts/scheduler.ts'], {
    ...UNPRIVILEGED,
    cwd: tree,
    env: {
      SERVICE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      CRON_SECRET: SECRET,
    } as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  on.stops.push(() => stopProcess(child, 'SIGKILL'));
  const said = lastWords(child);
  return async () => {
    await untilAnswers('the scheduler to call', { child, said }, async () => {
      if (calls.length === 0) throw new Error('it has not called');
    });
    await stopProcess(child, 'SIGTERM');
    deepStrictEqual(
      { call: calls[0], exitCode: child.exitCode },
      { call: `GET /api/cron/webhooks Bearer ${SECRET}`, exitCode: 0 },
    );
  };
}
