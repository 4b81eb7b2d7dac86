import { Agent, get, type IncomingHttpHeaders, request } from 'node:http';
import { describe, expect, inject, test } from 'vitest';
import { throttleName } from '#lib/identity/sign-in/throttle.ts';
import { localSecrets } from '#lib/local/secrets.ts';
import { cookieOf, outboxPath } from '../setup/account.ts';
import { onAppDatabase } from '../setup/scenes/app.ts';

type Answer = { status: number; text: string; headers: IncomingHttpHeaders };

/** Sends one request with these headers and chunks, unchanged. */
function send(options: {
  method: string;
  path: string;
  headers: Record<string, string>;
  chunks?: string[];
}): Promise<Answer> {
  const { hostname, port } = new URL(inject('app').baseUrl);
  return new Promise((resolve, reject) => {
    const { chunks = [], ...rest } = options;
    const outgoing = request({ ...rest, hostname, port, agent: false }, (incoming) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (part: string) => {
        text += part;
      });
      incoming.on('end', () =>
        resolve({ status: incoming.statusCode ?? 0, text, headers: incoming.headers }),
      );
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    for (const chunk of chunks) outgoing.write(chunk);
    outgoing.end();
  });
}

function add(headers: Record<string, string>, chunks: string[]): Promise<Answer> {
  const { demo } = inject('app');
  return send({
    method: 'POST',
    path: `/api/v1/spaces/${demo?.spaceId}/memories`,
    headers: {
      authorization: `Bearer ${demo?.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': `brut-${chunks.length}-${Object.keys(headers).length}`,
      ...headers,
    },
    chunks,
  });
}

describe('over HTTP, against the started server', () => {
  test('131,073 bytes in chunks answer 413 in French; 131,072 are written', async () => {
    const sized = (bytes: number) => {
      const empty = JSON.stringify({ pillar: 'ITEMS', title: 'Taille', body: '' });
      return JSON.stringify({ pillar: 'ITEMS', title: 'Taille', body: 'x'.repeat(bytes - empty.length) });
    };
    const inChunks = (text: string) => text.match(/[\s\S]{1,16384}/g) ?? [];
    const refused = await add({}, inChunks(sized(131_073)));
    expect(refused).toMatchObject({
      status: 413,
      text: expect.stringContaining('"code":"payload_too_large"'),
    });
    expect((await add({ 'x-taille': 'juste' }, inChunks(sized(131_072)))).status).toBe(201);
  });

  test('a Content-Length beside chunks is refused before any handler: no request can be smuggled', async () => {
    const answer = await add({ 'transfer-encoding': 'chunked', 'content-length': '10' }, ['{"a":1}']);
    expect(answer.status).toBe(400);
  });

  test('headers longer than 16 KB, a query string of 20 KB included, answer 431', async () => {
    // Short enough to be sent at once: a refused request that is still sending would reset the connection before its answer is read.
    const answer = await send({ method: 'GET', path: `/api/v1/search?q=${'a'.repeat(20_000)}`, headers: {} });
    expect(answer.status).toBe(431);
  });
});

test('a page asked for with a NUL in its address is refused before anything is read', async () => {
  for (const path of ['/journal?q=%00', '/recherche?q=a%00b', '/journal/gen_%00'])
    expect((await send({ method: 'GET', path, headers: {} })).status, path).toBe(400);
});

test('a route among the pages refuses a NUL itself, in its own words and after its own rights', async () => {
  const { name, value } = await cookieOf(inject('app'));
  const path = '/audit/export?action=a%00b';
  expect((await send({ method: 'GET', path, headers: {} })).status).toBe(401);
  const answer = await send({ method: 'GET', path, headers: { cookie: `${name}=${value}` } });
  expect([answer.status, JSON.parse(answer.text).error]).toMatchObject([
    400,
    { code: 'invalid_request', problems: [{ field: 'action' }] },
  ]);
});

/** Malformed paths of each part of the app, with the error code in the format of that part's routes; null if the body has none. */
const MALFORMED: [path: string, code: string | null][] = [
  ['/api/v1/spaces/%ZZ', 'invalid_request'],
  ['/api/v1/spaces/%', 'invalid_request'],
  ['/api/v1/spaces/%ED%A0%80', 'invalid_request'],
  ['/api/v1/spaces/%FF/context?q=%zz', 'invalid_request'],
  ['/api/brain/memories/%zz', 'invalid_request'],
  ['/api/files/%', 'invalid'],
  ['/api/files/generations/%zz/a.png', 'invalid'],
  ['/api/generations/%c3%28', 'invalid'],
  ['/api/webhooks/video/%ZZ', 'invalid'],
  ['/api/nulle-part/%ZZ', 'invalid'],
  ['/api/oauth/%ZZ', 'invalid_request'],
  ['/.well-known/%ZZ', 'invalid_request'],
  ['/api/mcp/%ZZ', null],
  ['/espaces/%zz', null],
  ['/%', null],
  ['/_next/static/%zz', null],
];

test.each(MALFORMED)('%s: 400 in the words of its neighbours, under a Request-Id', async (path, code) => {
  for (const method of ['GET', 'POST']) {
    const answer = await send({ method, path, headers: {} });
    expect(answer.status, answer.text).toBe(400);
    expect(answer.headers['request-id']).toMatch(/^req_/);
    if (code === null) continue;
    const { error } = JSON.parse(answer.text);
    expect(typeof error === 'string' ? error : error.code).toBe(code);
  }
});

test('a query that cannot be decoded never answers 5xx, on any page or route', async () => {
  for (const path of [
    '/recherche?q=%zz',
    '/journal?q=%FF',
    '/api/v1/search?q=%',
    '/api/generations?q=%zz',
    '/connexion?retour=%',
  ])
    expect((await send({ method: 'GET', path, headers: {} })).status, path).toBeLessThan(500);
});

test('a search whose letters are encoded as Latin-1 is refused by name: nothing is looked for in their place', async () => {
  const headers = { authorization: `Bearer ${inject('app').demo?.apiKey}` };
  const answer = await send({ method: 'GET', path: '/api/v1/search?q=caf%E9', headers });
  expect([answer.status, JSON.parse(answer.text).error]).toMatchObject([
    400,
    { code: 'invalid_request', problems: [{ field: 'q' }] },
  ]);
});

test('a method that no route of Next can have answers 405 in the words of the address', async () => {
  for (const [method, path] of [
    ['PROPFIND', '/api/v1/spaces'],
    ['SEARCH', '/api/v1/search'],
  ] as const) {
    const answer = await send({ method, path, headers: {} });
    expect([answer.status, JSON.parse(answer.text).error.code], method).toEqual([405, 'method_not_allowed']);
  }
});

test('TRACE answers 405 everywhere, in French and in the words of the address', async () => {
  for (const [path, code] of [
    ['/api/v1/spaces', 'method_not_allowed'],
    ['/api/generations', 'method_not_allowed'],
    ['/api/oauth/token', 'invalid_request'],
    ['/espaces', null],
  ] as const) {
    const answer = await send({ method: 'TRACE', path, headers: {} });
    expect(answer.status, path).toBe(405);
    expect(answer.headers.allow).toContain('GET');
    if (code === null) continue;
    const { error } = JSON.parse(answer.text);
    expect(typeof error === 'string' ? error : error.code).toBe(code);
  }
});

test('whatever is answered carries one Request-Id: redirects, preflights, pages, files of the build, 404', async () => {
  const id = /^req_[0-9a-z]{26}$/;
  for (const [method, path, status] of [
    ['GET', '/api/v1/spaces/', 308],
    ['GET', '/espaces/', 308],
    ['OPTIONS', '/api/v1/spaces', 204],
    ['OPTIONS', '/api/generations', 204],
    ['OPTIONS', '/api/oauth/token', 204],
    ['GET', '/connexion', 200],
    ['GET', '/nulle-part', 404],
    ['GET', '/api/nulle-part', 404],
    ['GET', '/api/v1/spaces', 401],
    ['HEAD', '/api/v1/openapi.json', 200],
  ] as const) {
    const answer = await send({ method, path, headers: {} });
    expect([path, answer.status]).toEqual([path, status]);
    expect(answer.headers['request-id'], path).toMatch(id);
  }
  const page = await send({ method: 'GET', path: '/connexion', headers: {} });
  const built = /\/_next\/static\/[^"'\\\s]+?\.js/.exec(page.text)?.[0] ?? '';
  const file = await send({ method: 'GET', path: built, headers: {} });
  expect([built, file.status]).toEqual([expect.stringMatching(/\.js$/), 200]);
  expect(file.headers['request-id'], built).toMatch(id);
});

describe('who a caller is, over HTTP', () => {
  test('is its connection, whatever it writes; the API asks for https as pages do; the outbox asks for its token', async () => {
    const app = inject('app');
    const { SERVICE_SESSION_SECRET: secret } = await localSecrets(app.dataDir);
    const forged = { 'x-forwarded-for': '6.6.6.6', 'x-atelier-peer': '6.6.6.6', 'x-real-ip': '6.6.6.6' };
    const answer = await fetch(`${app.baseUrl}/api/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...forged },
      body: JSON.stringify({ client_name: 'brut', redirect_uris: ['https://brut.exemple/r'] }),
    });
    expect(answer.status).toBe(201);
    expect(answer.headers.get('strict-transport-security')).toBe('max-age=63072000; includeSubDomains');
    const keys = await onAppDatabase(app, async ({ db }) =>
      (await db.rateLimitWindow.findMany({ select: { key: true } })).map(({ key }) => key),
    );
    expect(keys).toContain(`oauth-register:${throttleName(secret, '127.0.0.1')}`);
    expect(keys).not.toContain(`oauth-register:${throttleName(secret, '6.6.6.6')}`);

    const outbox = (query: string, headers: Record<string, string> = {}) =>
      send({ method: 'GET', path: `/boite-envoi${query}`, headers }).then(({ status }) => status);
    expect(await outbox('', { host: 'localhost', 'x-forwarded-host': 'localhost' })).toBe(404);
    expect(await outbox('?jeton=x', { host: '127.0.0.1' })).toBe(404);
    expect(await outbox((await outboxPath(app)).replace('/boite-envoi', ''))).toBe(200);
  });
});

test('an idle connection is kept open for longer than a proxy in front keeps it', async () => {
  const { hostname, port } = new URL(inject('app').baseUrl);
  const agent = new Agent({ keepAlive: true });
  const header = await new Promise((resolve, reject) => {
    get({ hostname, port, path: '/api/health', agent }, (incoming) => {
      incoming.resume().on('end', () => resolve(incoming.headers['keep-alive']));
    }).on('error', reject);
  });
  agent.destroy();
  expect(header).toBe('timeout=75');
});
