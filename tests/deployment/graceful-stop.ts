import type { ChildProcess } from 'node:child_process';
import { request } from 'node:http';
import { STOP_LIMIT_MS } from './child.ts';
import type { Step } from './walk.ts';

/** Twenty requests that the server has begun to read (it asked for their bodies) when SIGTERM comes: each is answered, and it ends by itself. */
export async function stopsGracefully(
  server: ChildProcess,
  baseUrl: string,
  on: { apiKey: string; spaceId: string },
): Promise<Step> {
  const what = 'SIGTERM: twenty requests under way are answered, then it ends by itself';
  const ended = new Promise<number | string>((resolve) =>
    server.once('exit', (code, signal) => resolve(code ?? signal ?? 1)),
  );
  const limit = setTimeout(() => server.kill('SIGKILL'), STOP_LIMIT_MS);
  const requests = Array.from({ length: 20 }, (_, index) => startAdding(baseUrl, on, index));
  await Promise.all(requests.map(({ begun }) => begun));
  server.kill('SIGTERM');
  for (const { finish } of requests) finish();
  const answers = await Promise.all(requests.map(({ status }) => status));
  const end = await ended;
  clearTimeout(limit);
  const how = end === 'SIGKILL' ? `killed: it had not ended in ${STOP_LIMIT_MS / 1000} s` : `ended ${end}`;
  // Past the rate of a key the answer is 429: an answer all the same, of which the walk before leaves room for few.
  const others = answers.filter((one) => one !== 201 && one !== 429);
  const added = answers.filter((one) => one === 201).length;
  return others.length === 0 && added >= answers.length / 2 && (end === 0 || end === 143)
    ? { what }
    : { what, fault: `${how}; ${added} times 201, in its place ${JSON.stringify(others)}` };
}

function startAdding(baseUrl: string, on: { apiKey: string; spaceId: string }, index: number) {
  const body = JSON.stringify({
    pillar: 'KNOWLEDGE',
    title: `Arrêt ${index}`,
    body: `${index} ${'x'.repeat(60_000)}`,
  });
  const outgoing = request(`${baseUrl}/api/v1/spaces/${on.spaceId}/memories`, {
    method: 'POST',
    agent: false,
    headers: {
      authorization: `Bearer ${on.apiKey}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'idempotency-key': `stop-${index}`,
      expect: '100-continue',
    },
  });
  const status = new Promise<number | string>((resolve) => {
    outgoing.on('response', (incoming) => {
      incoming.resume();
      resolve(incoming.statusCode ?? 0);
    });
    outgoing.on('error', (error) => resolve(error.message));
  });
  const begun = new Promise<void>((resolve) => {
    outgoing.on('continue', resolve);
    void status.then(() => resolve());
  });
  outgoing.flushHeaders();
  return { begun, status, finish: () => outgoing.end(body) };
}
