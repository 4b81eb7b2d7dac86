import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import { checkPostAddress, type SafePostOptions, safePost } from '#lib/core/net/safe-post.ts';
import { startHttpsServer, TEST_CA, type TestHttpsServer } from '#tests/setup/http/https-server.ts';
import { until } from '#tests/setup/until.ts';

const HOST = 'shop.atelier.example';
let site: TestHttpsServer;
let seen: { method: string; headers: IncomingMessage['headers']; body: string }[] = [];
const routes = new Map<string, (response: ServerResponse) => void>();

beforeAll(async () => {
  site = await startHttpsServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    seen.push({
      method: request.method ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    });
    const route = routes.get(new URL(request.url ?? '', 'https://x').pathname);
    if (route) route(response);
    else response.writeHead(204).end();
  });
});
afterAll(() => site.close());
afterEach(() => {
  seen = [];
  routes.clear();
});

const toLoopback = async () => [{ address: '127.0.0.1', family: 4 as const }];
const at = (path: string) => `https://${HOST}:${site.port}${path}`;

/** `safePost` to the loopback server, which only this injected trust makes reachable. */
const postHere = (address: string, options: Partial<SafePostOptions> = {}) =>
  safePost(address, {
    headers: { 'webhook-id': 'evt_1' },
    body: '{"é":1}',
    timeoutMs: 60_000,
    resolve: toLoopback,
    policy: { ports: [site.port] },
    testTrust: { addresses: ['127.0.0.1'], ca: TEST_CA },
    ...options,
  });

const reasonOf = async (work: Promise<unknown>) => {
  const outcome = await work.then(
    () => 'sent',
    (error: unknown) => error,
  );
  return outcome instanceof FetchRefusal ? `${outcome.reason} ${outcome.detail ?? ''}`.trim() : outcome;
};

test('safePost sends what it is given, and answers the status, whatever it is', async () => {
  expect(await postHere(at('/'))).toEqual({ status: 204 });
  expect(seen).toMatchObject([{ method: 'POST', body: '{"é":1}', headers: { 'webhook-id': 'evt_1' } }]);
  routes.set('/gone', (response) => response.writeHead(410).end('no more'));
  expect(await postHere(at('/gone'))).toEqual({ status: 410 });
  routes.set('/full', (response) => response.writeHead(429, { 'retry-after': '120' }).end());
  expect(await postHere(at('/full'))).toEqual({ status: 429, retryAfter: '120' });
});

test('safePost follows no redirect: its status is the answer, and nobody else is asked', async () => {
  routes.set('/', (response) => response.writeHead(307, { location: at('/secret') }).end());
  expect(await postHere(at('/'))).toEqual({ status: 307 });
  expect(seen).toHaveLength(1);
});

test('safePost gives the status of an answer without end, of which it reads no more, and leaves one that is never given', async () => {
  routes.set('/long', (response) => {
    response.writeHead(200);
    const more = setInterval(() => response.write('x'.repeat(8_192)), 1);
    response.on('close', () => clearInterval(more));
  });
  expect(await postHere(at('/long'))).toEqual({ status: 200 });
  routes.set('/never', () => undefined);
  expect(await reasonOf(postHere(at('/never'), { timeoutMs: 200 }))).toBe('timeout');
});

test('a status that was given is the answer, though its body stalls or is cut; a caller who stops waiting has none', async () => {
  routes.set('/half', (response) => response.writeHead(200, { 'retry-after': '9' }).write('x'));
  // A machine that was held before the status came is out of its time: it is asked again.
  const half = await until('the status of an answer whose body stalls', () =>
    postHere(at('/half'), { timeoutMs: 2_000 }),
  );
  expect(half).toEqual({ status: 200, retryAfter: '9' });
  routes.set('/cut', (response) => {
    response.writeHead(202, { 'content-length': '100' });
    response.write('x', () => response.destroy());
  });
  expect(await postHere(at('/cut'))).toEqual({ status: 202 });
  const stopping = new AbortController();
  routes.set('/half', (response) =>
    response.writeHead(200).write('x', () => stopping.abort(new Error('stop'))),
  );
  await expect(postHere(at('/half'), { signal: stopping.signal })).rejects.toThrow('stop');
});

test.each([
  'http://boutique.fr/',
  'https://127.0.0.1/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::1]/',
  'https://2130706433/',
  'https://169.254.169.254/latest/meta-data',
  'https://metadata.google.internal/',
  'https://localhost/',
  'https://boutique.fr:8443/',
  'https://moi:secret@boutique.fr/',
  'ftp://boutique.fr/',
])('%s is refused before any name is asked, at creation as at sending', async (address) => {
  const resolve = async () => {
    throw new Error('asked');
  };
  const refused = /^(not-https|host-not-allowed)/;
  expect(await reasonOf(safePost(address, { headers: {}, body: '', timeoutMs: 1_000, resolve }))).toMatch(
    refused,
  );
  expect(await reasonOf(checkPostAddress(address, { timeoutMs: 1_000, resolve }))).toMatch(refused);
});

test('a public name with a private address is refused, one among public ones too, and so is a name that turned private since', async () => {
  const answers =
    (...addresses: string[]) =>
    async () =>
      addresses.map((address) => ({ address, family: address.includes(':') ? (6 as const) : (4 as const) }));
  for (const resolve of [
    answers('10.0.0.1'),
    answers('169.254.169.254'),
    answers('93.184.216.34', '192.168.0.1'),
    answers('::ffff:127.0.0.1'),
    answers('fd00::1'),
  ]) {
    expect(await reasonOf(checkPostAddress('https://boutique.fr/', { timeoutMs: 1_000, resolve }))).toBe(
      'private-address',
    );
    expect(
      await reasonOf(safePost('https://boutique.fr/', { headers: {}, body: '', timeoutMs: 1_000, resolve })),
    ).toBe('private-address');
  }
  // Public when subscribed, the metadata service when called: the name is resolved again, and the address is not called.
  await checkPostAddress('https://boutique.fr/', { timeoutMs: 1_000, resolve: answers('93.184.216.34') });
  expect(await reasonOf(postHere(at('/'), { resolve: answers('169.254.169.254') }))).toBe('private-address');
  expect(seen).toEqual([]);
  expect(await postHere(at('/'))).toEqual({ status: 204 });
});
