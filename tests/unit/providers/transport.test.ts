import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type LookupFunction } from 'node:net';
import { Agent, fetch as fetchBy } from 'undici';
import { afterEach, describe, expect, test } from 'vitest';
import { type ProviderFetch, send } from '#lib/providers/transport.ts';
import { retryAfterMs } from '#lib/providers/transport-status.ts';
import { listenHere } from '#tests/setup/http/listen-here.ts';
import { until } from '#tests/setup/until.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A real HTTP server on the loopback, with its address and the number of requests that it received. */
async function serve(listener: RequestListener): Promise<{ url: string; seen: () => number }> {
  let seen = 0;
  const server = createServer((request, response) => {
    seen += 1;
    listener(request, response);
  });
  await listenHere(server);
  closers.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/start`, seen: () => seen };
}

const wiring = {
  fetch: (url: string, init: RequestInit) => fetch(url, init),
  secrets: [],
  sleep: async () => {},
};
/** A budget that only ends a wait that would never end; a test about the end of a budget gives its own. */
const PATIENCE_MS = 60_000;
const post = (
  url: string,
  extra: { repeatable?: boolean; maxBytes?: number; bodyMs?: number } = {},
  budgetMs = PATIENCE_MS,
  through: ProviderFetch = wiring.fetch,
) =>
  send(
    { ...wiring, fetch: through },
    { method: 'POST', url, headers: {}, json: { a: 1 }, repeatable: false, ...extra },
    budgetMs,
  );

const findNothing: LookupFunction = (name, _options, done) =>
  done(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }), '', 4);

/** A real client whose name lookups fail at once: a machine without a name server takes longer than any budget to fail. */
const withoutNames: ProviderFetch = (url, init) => {
  const dispatcher = new Agent({ connect: { lookup: findNothing } });
  return fetchBy(url, { ...init, dispatcher } as never) as unknown as Promise<Response>;
};

describe('over real sockets', () => {
  test('a port that nobody listens on is surely not sent, and tried three times', async () => {
    const port = await freedPort();
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      reason: 'unreachable',
      retrySafe: 'surely-not-sent',
      attempts: 3,
    });
  });

  test('a name that does not resolve is surely not sent', async () => {
    expect(await post('http://nowhere.invalid/', {}, PATIENCE_MS, withoutNames)).toMatchObject({
      reason: 'unreachable',
      retrySafe: 'surely-not-sent',
    });
  });

  test('a connection cut after the request arrived is unknown, and a paid start is not repeated', async () => {
    const { url, seen } = await serve((request) => request.on('data', () => request.socket.destroy()));
    expect(await post(url)).toMatchObject({ reason: 'connection-lost', retrySafe: 'unknown', attempts: 1 });
    expect(seen()).toBe(1);
  });

  test('the same cut is repeated when a repeat is harmless, and a later success is a success', async () => {
    let first = true;
    const { url, seen } = await serve((request, response) => {
      if (!first) return response.end('{}');
      first = false;
      request.on('data', () => request.socket.destroy());
    });
    expect(await post(url, { repeatable: true })).toMatchObject({ outcome: 'answered', status: 200 });
    expect(seen()).toBe(2);
  });

  test('a body that drips is ended by the budget', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    });
    const result = await post(url, {}, 200);
    expect(result).toMatchObject({ reason: 'timeout', retrySafe: 'unknown' });
  });

  test('an answer that holds a file has, once it has begun, its own time: past the budget, and no longer', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200);
      response.write(' ');
      setTimeout(() => response.end('{}'), 1_500);
    });
    expect(await post(url, {}, 500)).toMatchObject({ reason: 'timeout' });
    // A machine that was held before it began is out of its budget: it is asked again.
    const answered = await until('an answer that ends past the budget', async () => {
      const result = await post(url, { bodyMs: PATIENCE_MS }, 500);
      return result.outcome === 'answered' && result;
    });
    expect(answered).toMatchObject({ status: 200 });
    // Of a body without end: one that ends may have come whole to a process that was held as it began.
    const endless = await serve((_, response) => {
      response.writeHead(200);
      response.write(' ');
    });
    expect(await post(endless.url, { bodyMs: 100 })).toMatchObject({ reason: 'timeout', attempts: 1 });
  });

  test('an answer that says « done » and is cut was paid for, once; one that says nothing was not', async () => {
    const cut = (status: number) =>
      serve((request, response) => {
        request.resume().on('end', () => {
          response.writeHead(status, { 'content-length': '100' });
          response.write('{"images":', () => response.socket?.destroy());
        });
      });
    const done = await cut(200);
    expect(await post(done.url)).toMatchObject({
      reason: 'connection-lost',
      retrySafe: 'unknown',
      paid: true,
      attempts: 1,
    });
    expect(done.seen()).toBe(1);
    const fault = await cut(500);
    expect(await post(fault.url)).not.toHaveProperty('paid');
  });

  test('an answer larger than allowed is stopped', async () => {
    const { url } = await serve((_, response) => response.end('x'.repeat(100_000)));
    expect(await post(url, { maxBytes: 50_000 })).toMatchObject({
      reason: 'bad-answer',
      retrySafe: 'unknown',
    });
  });

  test('a redirect is not followed: the key stays home', async () => {
    const elsewhere = await serve((_, response) => response.end('{}'));
    const { url } = await serve((_, response) => response.writeHead(307, { location: elsewhere.url }).end());
    expect(await post(url)).toMatchObject({ reason: 'bad-answer', status: 307 });
    expect(elsewhere.seen()).toBe(0);
  });

  test('something that does not speak HTTP is unknown, not a crash', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.write('SSH-2.0-hello\r\n', () => socket.destroySoon());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise((resolve) => server.close(() => resolve())));
    const { port } = server.address() as AddressInfo;
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      reason: 'connection-lost',
      retrySafe: 'unknown',
      attempts: 1,
    });
  });
});

describe('reasons said by a body', () => {
  const answered = (status: number, body: unknown, headers: Record<string, string> = {}) =>
    send(
      { ...wiring, fetch: async () => new Response(JSON.stringify(body), { status, headers }) },
      { method: 'POST', url: 'https://x.example/', headers: {}, repeatable: false },
      PATIENCE_MS,
    );
  test.each([
    [401, { detail: { status: 'quota_exceeded', message: 'm' } }, 'quota-exhausted'],
    [401, { detail: { status: 'missing_permissions', message: 'm' } }, 'missing-permission'],
    [401, { detail: { status: 'invalid_api_key', message: 'm' } }, 'unauthorized'],
    [402, {}, 'quota-exhausted'],
    [403, { message: 'Resource not accessible' }, 'unauthorized'],
    [403, { error: { message: 'Forbidden.', type: 'access_denied' } }, 'unauthorized'],
    [403, { error: { message: 'Denied', type: 'forbidden', param: { ruleId: 'rule_7' } } }, 'denied-by-rule'],
    [403, { error: { message: 'Denied', type: 'forbidden', param: null } }, 'denied-by-rule'],
    [404, { detail: { status: 'voice_not_found' } }, 'not-found'],
    [
      400,
      { error: { message: 'Blocked by content moderation', type: 'invalid_request_error' } },
      'content-refused',
    ],
    [
      400,
      { error: { message: 'Blocked', type: 'invalid_request_error', code: 'content_filter' } },
      'content-refused',
    ],
    [400, { error: { message: 'The video may contain sensitive information.' } }, 'content-refused'],
    [
      429,
      { error: { message: 'm', type: 'rate_limit_exceeded', code: 'insufficient_quota' } },
      'quota-exhausted',
    ],
    [422, { message: 'Unexpected inputs' }, 'invalid-request'],
    [429, { error: { type: 'insufficient_quota', message: 'm' } }, 'quota-exhausted'],
  ])('%i %j is %s', async (status, body, reason) => {
    expect(await answered(status, body)).toMatchObject({ reason, retrySafe: 'refused', attempts: 1 });
  });

  test('a model that a rule of the gateway’s team denies is told with the rule, and never as a wrong key', async () => {
    const body = {
      error: { message: 'This model is blocked', type: 'forbidden', param: { ruleId: 'rule_7' } },
    };
    expect(await answered(403, body)).toMatchObject({
      reason: 'denied-by-rule',
      detail: 'HTTP 403 · forbidden · This model is blocked · rule rule_7',
    });
  });

  test('a gateway’s generation id in an error is kept: its cost can be read', async () => {
    expect(await answered(500, { error: { message: 'm' }, generationId: 'gen_9' })).toMatchObject({
      gatewayGenerationId: 'gen_9',
      retrySafe: 'unknown',
    });
  });

  test.each<[number, Record<string, string>]>([
    [429, {}],
    [503, { 'retry-after': '0' }],
  ])('%i that names a generation is not sent again, unless a repeat is harmless', async (status, headers) => {
    const ask = async (body: object, repeatable: boolean) => {
      let sent = 0;
      const fetch = async () => {
        sent += 1;
        return new Response(JSON.stringify(body), { status, headers });
      };
      const request = { method: 'POST', url: 'https://x.example/', headers: {}, repeatable } as const;
      expect(await send({ ...wiring, fetch }, request, 5_000)).toMatchObject({ outcome: 'failed', status });
      return sent;
    };
    const named = { error: { message: 'm' }, generationId: 'gen_9' };
    expect(await ask(named, false)).toBe(1);
    expect(await ask(named, true)).toBe(3);
    expect(await ask({ error: { message: 'm' } }, false)).toBe(3);
  });

  test.each<[string, object, Record<string, string>]>([
    ['leaves no request', { message: 'm' }, { 'x-ratelimit-remaining': '0' }],
    ['says how long to wait', { message: 'm' }, { 'x-ratelimit-remaining': '612', 'retry-after': '60' }],
    [
      'says its name alone',
      { message: 'You have exceeded a secondary rate limit.' },
      { 'x-ratelimit-remaining': '612' },
    ],
  ])('a GitHub limit that %s is « rate-limited », not a wrong token', async (_, body, headers) => {
    expect(await answered(403, body, headers)).toMatchObject({ reason: 'rate-limited', attempts: 1 });
  });

  test('the code of a sync.so refusal is told beside its words, and judged', async () => {
    const body = { statusCode: 429, errorCode: 'insufficient_credits', message: 'm', error: 'Busy' };
    expect(await answered(429, body)).toMatchObject({
      reason: 'quota-exhausted',
      detail: 'HTTP 429 · insufficient_credits · m',
    });
  });

  test('the first of a list of faulty fields is told (ElevenLabs, 422)', async () => {
    const detail = [{ loc: ['body', 'text'], msg: 'Field required', type: 'missing' }];
    expect(await answered(422, { detail })).toMatchObject({
      reason: 'invalid-request',
      detail: 'HTTP 422 · Field required',
    });
  });

  test('a conflict under a key is unknown: the first request may still be served', async () => {
    expect(await answered(409, { error: { message: 'in progress' } })).toMatchObject({
      retrySafe: 'unknown',
    });
  });

  test.each([408, 504, 524])(
    'a time that was over before the service answered (%i) leaves ours: asked again where a repeat is harmless',
    async (status) => {
      const ask = async (repeatable: boolean) => {
        let sent = 0;
        const fetch = async () => {
          sent += 1;
          return sent === 1
            ? new Response('<html>Timeout</html>', { status })
            : Response.json({ id: 'job_1' });
        };
        const request = { method: 'POST', url: 'https://x.example/', headers: {}, repeatable } as const;
        return { result: await send({ ...wiring, fetch }, request, PATIENCE_MS), sent };
      };
      expect(await ask(true)).toMatchObject({ result: { outcome: 'answered' }, sent: 2 });
      const once = { outcome: 'failed', reason: 'timeout', retrySafe: 'unknown', status, attempts: 1 };
      expect(await ask(false)).toMatchObject({ result: once, sent: 1 });
    },
  );

  test.each([
    ['a page of somebody in between', '<html>One moment please</html>'],
    ['JSON that ends too early', '{"operation":{"id":"jo'],
    ['nothing', ''],
  ])(
    'a « done » that brings %s is asked for again where a repeat is harmless, and counts as paid',
    async (_, body) => {
      const ask = async (repeatable: boolean, after: () => Response) => {
        let sent = 0;
        const fetch = async () => {
          sent += 1;
          return sent === 1 ? new Response(body) : after();
        };
        const request = { method: 'POST', url: 'https://x.example/', headers: {}, repeatable } as const;
        return { result: await send({ ...wiring, fetch }, request, PATIENCE_MS), sent };
      };
      const job = () => Response.json({ id: 'job_1' });
      expect(await ask(true, job)).toMatchObject({ result: { outcome: 'answered' }, sent: 2 });
      const lost = { outcome: 'failed', reason: 'bad-answer', retrySafe: 'unknown', paid: true };
      expect(await ask(true, () => new Response(body))).toMatchObject({ result: lost, sent: 3 });
      const refused = () => Response.json({ error: { message: 'no' } }, { status: 401 });
      const inDoubt = { outcome: 'failed', reason: 'unauthorized', retrySafe: 'unknown', paid: true };
      expect(await ask(true, refused)).toMatchObject({ result: inDoubt, sent: 2 });
      // Whoever asked once reads it himself.
      expect(await ask(false, job)).toMatchObject({ result: { outcome: 'answered' }, sent: 1 });
    },
  );

  test('a start that was cut and is still being served is asked for again once it had the time to be', async () => {
    const pauses: number[] = [];
    const cut = new TypeError('fetch failed', {
      cause: Object.assign(new Error('cut'), { code: 'ECONNRESET' }),
    });
    const answers = [
      () => Promise.reject(cut),
      async () => Response.json({ error: { message: 'in progress' } }, { status: 409 }),
      async () => Response.json({ id: 'job_1' }),
    ];
    const result = await send(
      {
        ...wiring,
        fetch: () => (answers.shift() ?? (() => Promise.reject(cut)))(),
        sleep: async (ms) => void pauses.push(ms),
      },
      { method: 'POST', url: 'https://x.example/', headers: {}, repeatable: true },
      60_000,
    );
    expect(result).toMatchObject({ outcome: 'answered', status: 200 });
    expect(pauses).toEqual([300, 10_000]);
  });

  test('what a start that was cut may have begun is not undone by what its repeats are told', async () => {
    const refused = new TypeError('fetch failed', {
      cause: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
    });
    const begun = () => Response.json({ error: { message: 'm' }, generationId: 'gen_9' }, { status: 500 });
    let sent = 0;
    const fetch = async () => {
      sent += 1;
      if (sent > 1) throw refused;
      return begun();
    };
    const request = { method: 'POST', url: 'https://x.example/', headers: {}, repeatable: true } as const;
    expect(await send({ ...wiring, fetch }, request, PATIENCE_MS)).toMatchObject({
      reason: 'unreachable',
      retrySafe: 'unknown',
      gatewayGenerationId: 'gen_9',
      attempts: 3,
    });
  });

  test('the query of a signed address is taken out of a provider’s words', async () => {
    const message = 'cannot read https://files.example/a.png?signature=s3cret&x=1 (404)';
    const failure = await answered(422, { message });
    expect(failure).toMatchObject({
      detail: 'HTTP 422 · cannot read https://files.example/a.png?[query] (404)',
    });
  });

  test('a long run of addresses in a provider’s words is read once, to its end', async () => {
    // Seven megabytes: a search that starts again from each of them would block the event loop for an hour.
    const failure = await answered(400, { message: 'http://'.repeat(1_000_000) });
    expect(failure).toMatchObject({ detail: expect.stringMatching(/^HTTP 400 · (http:\/\/){69}http/) });
    expect(await answered(400, { message: `${'http://'.repeat(5)}a?key=1 said` })).toMatchObject({
      detail: `HTTP 400 · ${'http://'.repeat(5)}a?[query] said`,
    });
  });

  test('what no database can hold is not kept of a provider’s words', async () => {
    const failure = await answered(500, { message: 'a\u0000b\ud83d', generationId: 'gen\u0000_9' });
    expect(failure).toMatchObject({ detail: 'HTTP 500 · ab\ufffd', gatewayGenerationId: 'gen_9' });
  });

  test('Retry-After is read in seconds and as a date', () => {
    expect(retryAfterMs('7')).toBe(7_000);
    expect(retryAfterMs('Sat, 21 Nov 2026 12:00:05 GMT', Date.parse('2026-11-21T12:00:00Z'))).toBe(5_000);
    expect(retryAfterMs('0.5')).toBe(500);
    expect(retryAfterMs('86400000')).toBe(86_400_000_000);
    for (const unreadable of ['soon', '-1', '1/2', 'in 5']) expect(retryAfterMs(unreadable)).toBeUndefined();
    expect(retryAfterMs(null)).toBeUndefined();
  });
});

describe('a way that is lost', () => {
  const lost = (syscall: string) =>
    new TypeError('fetch failed', {
      cause: Object.assign(new Error('lost'), { code: 'EHOSTUNREACH', syscall }),
    });
  const ask = async (error: Error) => {
    let sent = 0;
    const fetch = async () => {
      sent += 1;
      throw error;
    };
    const request = { method: 'POST', url: 'https://x.example/', headers: {}, repeatable: false } as const;
    return { failure: await send({ ...wiring, fetch }, request, PATIENCE_MS), sent: () => sent };
  };

  test('before the connection stands: nothing was sent, and it is tried again', async () => {
    const { failure, sent } = await ask(lost('connect'));
    expect(failure).toMatchObject({ reason: 'unreachable', retrySafe: 'surely-not-sent' });
    expect(sent()).toBe(3);
  });

  test.each(['read', 'write'])('once it stands (%s): a paid start is not repeated', async (syscall) => {
    const { failure, sent } = await ask(lost(syscall));
    expect(failure).toMatchObject({ reason: 'connection-lost', retrySafe: 'unknown' });
    expect(sent()).toBe(1);
  });

  test('after an answer that said « done »: what its repeats are told does not undo that it was paid', async () => {
    const body = () =>
      new ReadableStream({
        start(controller) {
          controller.error(lost('read'));
        },
      });
    const answers = [() => new Response(body()), () => Response.json({ message: 'no' }, { status: 400 })];
    const fetch = async () => (answers.shift() ?? (() => new Response(null, { status: 500 })))();
    const request = { method: 'POST', url: 'https://x.example/', headers: {}, repeatable: true } as const;
    expect(await send({ ...wiring, fetch }, request, PATIENCE_MS)).toMatchObject({
      reason: 'invalid-request',
      retrySafe: 'unknown',
      paid: true,
      attempts: 2,
    });
  });
});

async function freedPort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}
