import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { SERVED_BY, untilServing } from '#lib/local/serving/until-serving.ts';
import { listenHere } from '#tests/setup/http/listen-here.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A server whose `/api/health` answers with these statuses in turn, and repeats the last one. */
async function answering(...statuses: number[]): Promise<string> {
  const server = createServer((request, response) => {
    const status =
      request.url === '/api/health' ? (statuses.length > 1 ? statuses.shift() : statuses[0]) : 200;
    response.writeHead(status ?? 500, { 'content-type': 'application/json' }).end('{}');
  });
  servers.push(server);
  await listenHere(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const running = () => null;
// A wrong answer ends the wait at once; an answer that something is not there yet is waited for as long as it takes.
const IMPATIENT = { wholeMs: 600_000, wrongMs: -1, notYetMs: 600_000, everyMs: 1 };

test('a service that says that something it stands on does not answer is asked again, however slow the machine', async () => {
  const url = await answering(503, 503, 503, 200);
  expect(await untilServing(url, running, IMPATIENT)).toBeUndefined();
});

test('an answer that stays wrong ends the wait and is said with its status', async () => {
  expect(await untilServing(await answering(500), running, IMPATIENT)).toBe(
    'Le serveur a démarré, mais /api/health répond 500\u00a0: {}.',
  );
  const hopeless = { ...IMPATIENT, notYetMs: -1 };
  expect(await untilServing(await answering(503), running, hopeless)).toMatch(/\/api\/health répond 503/);
});

test('a server that ended is not waited for', async () => {
  expect(await untilServing('http://127.0.0.1:9', () => 'SIGKILL')).toBe(
    'Le serveur s’est arrêté en démarrant (SIGKILL).',
  );
});

test('another server at its address is not taken for the one that was started, however well it answers', async () => {
  const url = await answering(200);
  let looks = 0;
  const ended = () => {
    looks += 1;
    return looks > 3 ? 1 : null;
  };
  expect(await untilServing(url, ended, { ...IMPATIENT, mark: 'ours' })).toBe(
    'Le serveur s’est arrêté en démarrant (1).',
  );
});

test('the server that was started is known by the mark that it answers with', async () => {
  const server = createServer((request, response) => {
    response.setHeader(SERVED_BY, String(request.headers[SERVED_BY])).end('{}');
  });
  servers.push(server);
  await listenHere(server);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await untilServing(url, running, { ...IMPATIENT, mark: 'ours' })).toBeUndefined();
});
