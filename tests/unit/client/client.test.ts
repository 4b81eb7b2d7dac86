import { expect, test } from 'vitest';
import {
  AtelierClient,
  AtelierConnectionError,
  AtelierError,
  AtelierTimeoutError,
  type ClientOptions,
  isAtelierError,
} from '../../../packages/client/src/index.ts';

type Sent = { url: string; method: string; headers: Headers; body: unknown };
type Reply = Response | Error | ((sent: Sent) => Response);

/** A client whose server gives these replies in turn; its requests and pauses are recorded. */
function clientOf(replies: Reply[], options: Partial<ClientOptions> = {}) {
  const sent: Sent[] = [];
  const pausesMs: number[] = [];
  const client = new AtelierClient({
    baseUrl: 'https://atelier.example/',
    apiKey: 'the-key',
    sessionCookie: 'atelier=the-session',
    sleep: async (ms) => void pausesMs.push(ms),
    ...options,
    fetch: async (url, init) => {
      const request = {
        url: String(url),
        method: init?.method ?? '',
        headers: new Headers(init?.headers),
        body: init?.body,
      };
      sent.push(request);
      const reply = replies[sent.length - 1];
      if (reply instanceof Error) throw reply;
      if (reply === undefined) throw new Error('nothing more was expected');
      return typeof reply === 'function' ? reply(request) : reply;
    },
  });
  return { client, sent, pausesMs };
}

const json = (body: unknown, init?: ResponseInit) => new Response(JSON.stringify(body), init);
const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  json({ error: { code, message: 'Non.' } }, { status, headers: { 'request-id': 'r1', ...headers } });

test('a read sends the key, and its filters in the address; a value of several goes as a list', async () => {
  const { client, sent } = clientOf([json({ text: '' })]);
  await client.getContext('s/1', { pillars: ['IDENTITY', 'PEOPLE'] as never, maxChars: 4000, q: undefined });
  expect(sent[0]?.url).toBe(
    'https://atelier.example/api/v1/spaces/s%2F1/context?pillars=IDENTITY%2CPEOPLE&maxChars=4000',
  );
  expect(sent[0]?.headers.get('authorization')).toBe('Bearer the-key');
  expect(sent[0]?.headers.has('cookie')).toBe(false);
});

test('« . » and « .. » name no row: nothing is sent, where another operation would be asked', async () => {
  const { client, sent } = clientOf([]);
  for (const id of ['.', '..'])
    for (const ask of [
      () => client.getSpace(id),
      () => client.addMemory(id, { pillar: 'IDENTITY', title: 'T', body: 'B' } as never),
      () => client.studio.readFile(`generations/${id}/a.png`),
    ])
      await expect(ask()).rejects.toThrow(TypeError);
  expect(sent).toEqual([]);
});

test('a success that is no JSON, such as a page put between, is refused as unreadable, and not kept', async () => {
  const page = () => new Response('<html>Bienvenue</html>', { headers: { etag: '"page"' } });
  const { client, sent } = clientOf([page, json({ id: 's1' })]);
  const thrown = await client.getSpace('s1').catch((error: unknown) => error);
  expect(isAtelierError(thrown, 'unreadable')).toBe(true);
  expect(thrown).toMatchObject({ status: 200 });
  expect(await client.getSpace('s1')).toEqual({ id: 's1' });
  expect(sent.map(({ headers }) => headers.has('if-none-match'))).toEqual([false, false]);
});

test('the Studio is asked with the session, and the key stays at home', async () => {
  const { client, sent } = clientOf([json({})]);
  await client.studio.readWallet();
  expect(sent[0]?.headers.get('cookie')).toBe('atelier=the-session');
  expect(sent[0]?.headers.has('authorization')).toBe(false);
});

test('the cookie of a page is no session that the client was given: with a key the key is sent, without one the cookie goes alone; an empty session is none', async () => {
  for (const sessionCookie of [undefined, '']) {
    const { client, sent } = clientOf([json({}), json({})], { sessionCookie });
    await client.studio.readWallet();
    await client.studio.exportAudit({ format: 'csv' });
    // The key is never sent to an operation that needs a session.
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual(['Bearer the-key', null]);
    expect(sent.map(({ headers }) => headers.get('cookie'))).toEqual([null, null]);
  }
  const { client, sent } = clientOf([json({})], { apiKey: undefined, sessionCookie: undefined });
  await client.studio.readWallet();
  expect(sent[0]?.headers.has('authorization')).toBe(false);
});

test('an unchanged Space is asked for by its ETag and given from what was kept, a copy each time', async () => {
  const fresh = json({ id: 's1', pillars: [] }, { headers: { etag: '"v1"' } });
  const { client, sent } = clientOf([
    fresh,
    new Response(null, { status: 304 }),
    new Response(null, { status: 304 }),
  ]);
  const first = await client.getSpace('s1');
  (first as { id: string }).id = 'changed by the caller';
  expect(await client.getSpace('s1')).toEqual({ id: 's1', pillars: [] });
  expect(await client.getSpace('s1')).toEqual({ id: 's1', pillars: [] });
  expect(sent.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, '"v1"', '"v1"']);
});

test('no more answers are kept than was allowed, and the one not used for longest goes first', async () => {
  const answer = (sent: Sent) => json({ id: sent.url.at(-1) }, { headers: { etag: '"e"' } });
  const { client, sent } = clientOf(Array(6).fill(answer), { cacheEntries: 2 });
  for (const id of ['1', '2', '1', '3', '1', '2']) await client.getSpace(id);
  expect(sent.map(({ headers }) => headers.has('if-none-match'))).toEqual([
    false,
    false,
    true,
    false,
    true,
    false,
  ]);
});

test('what the server says may be asked again is asked again after the pause it names, under one idempotency key', async () => {
  const { client, sent, pausesMs } = clientOf([
    refusal(429, 'rate_limited', { 'retry-after': '7' }),
    new TypeError('connection reset'),
    new Response('<html>', { status: 502 }),
    json({ id: 'm1' }, { status: 201 }),
  ]);
  await client.addMemory('s1', { pillar: 'IDENTITY', title: 'T', body: 'B' } as never);
  expect(pausesMs[0]).toBe(7_000);
  expect(pausesMs).toHaveLength(3);
  const keys = new Set(sent.map(({ headers }) => headers.get('idempotency-key')));
  expect(keys.size).toBe(1);
  expect([...keys][0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
});

test('two calls without a key of their own have two keys: a deliberate second request is another', async () => {
  const { client, sent } = clientOf([json({}), json({}), json({})]);
  await client.studio.createGeneration({ kind: 'image', brief: 'Une bougie' } as never);
  await client.studio.createGeneration({ kind: 'image', brief: 'Une bougie' } as never);
  await client.studio.createGeneration({ kind: 'image', brief: 'Une bougie' } as never, {
    idempotencyKey: 'mine',
  });
  const keys = sent.map(({ headers }) => headers.get('idempotency-key'));
  expect(new Set(keys).size).toBe(3);
  expect(keys[2]).toBe('mine');
});

test.each([
  ['a refusal that names no pause', refusal(503, 'not_configured')],
  ['a provider’s failure, which was settled', refusal(502, 'provider-failure')],
  [
    'a month that is used up, whose pause is longer than allowed',
    refusal(429, 'quota_exceeded', { 'retry-after': '90000' }),
  ],
])('%s is not asked again', async (_, reply) => {
  const { client, sent } = clientOf([reply]);
  await expect(client.listSpaces()).rejects.toBeInstanceOf(AtelierError);
  expect(sent).toHaveLength(1);
});

test('what has no idempotency key and is no read is sent once, whatever happens', async () => {
  const { client, sent } = clientOf([new TypeError('connection reset')]);
  await expect(
    client.studio.uploadImage(new Uint8Array(3), { contentType: 'image/png' }),
  ).rejects.toBeInstanceOf(AtelierConnectionError);
  expect(sent).toHaveLength(1);
  expect(sent[0]?.headers.get('content-type')).toBe('image/png');
});

test('a refusal is thrown with its code, sentence, fields and request', async () => {
  const body = {
    error: {
      code: 'invalid_request',
      message: 'Le titre manque.',
      problems: [{ field: 'title', message: 'obligatoire' }],
    },
  };
  const { client } = clientOf([json(body, { status: 400, headers: { 'request-id': 'r9' } })]);
  const thrown = await client.listSpaces().catch((error: unknown) => error);
  expect(isAtelierError(thrown, 'invalid_request', 'not_found')).toBe(true);
  expect(isAtelierError(thrown, 'not_found')).toBe(false);
  expect(thrown).toMatchObject({
    message: 'Le titre manque.',
    status: 400,
    requestId: 'r9',
    problems: body.error.problems,
  });
});

test('no answer within the limit is said so; the caller’s own abort is thrown as it is', async () => {
  const never: typeof fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
    });
  const slow = new AtelierClient({
    baseUrl: 'https://atelier.example',
    fetch: never,
    retries: 0,
    timeoutMs: 5,
  });
  await expect(slow.listSpaces()).rejects.toThrow('listSpaces: no answer within 5 ms.');
  const stop = new AbortController();
  const waiting = slow.listSpaces({ signal: stop.signal, timeoutMs: 60_000 });
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

test('the journal is walked page after page, and no page is asked for before it is needed', async () => {
  const page = (ids: string[], nextCursor: string | null) =>
    json({ generations: ids.map((id) => ({ id })), nextCursor });
  const { client, sent } = clientOf([page(['1', '2'], 'c2'), page(['3'], null)]);
  const seen = [];
  for await (const { id } of client.studio.generations({ kind: 'image' } as never)) {
    seen.push(`${id} of page ${sent.length}`);
  }
  expect(seen).toEqual(['1 of page 1', '2 of page 1', '3 of page 2']);
  expect(sent[1]?.url).toContain('kind=image&cursor=c2');
});

test('a generation is read until it has ended, each reading told; past the limit it is given as it stands', async () => {
  const at = (status: string) => json({ id: 'g1', status });
  const { client, pausesMs } = clientOf([at('running'), at('running'), at('done')]);
  const seen: string[] = [];
  const done = await client.studio.waitForGeneration('g1', {
    intervalMs: 500,
    onProgress: ({ status }) => seen.push(status),
  });
  expect(done.status).toBe('done');
  expect(seen).toEqual(['running', 'running', 'done']);
  expect(pausesMs).toEqual([500, 500]);
  const late = clientOf([at('running'), at('running')]);
  await expect(
    late.client.studio.waitForGeneration('g1', { intervalMs: 500, maxWaitMs: 500 }),
  ).rejects.toBeInstanceOf(AtelierTimeoutError);
});

test('a wait ends by the clock too: readings that follow each other without a pause do not go on for ever', async () => {
  let readings = 0;
  const client = new AtelierClient({
    baseUrl: 'https://atelier.example',
    fetch: async () => {
      readings += 1;
      return json({ id: 'g1', status: 'running' });
    },
  });
  await expect(client.generations.wait('g1', { intervalMs: 0, maxWaitMs: 20 })).rejects.toBeInstanceOf(
    AtelierTimeoutError,
  );
  expect(readings).toBeGreaterThan(0);
});
