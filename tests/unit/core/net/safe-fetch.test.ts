import type { IncomingMessage, ServerResponse } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import { type SafeFetchOptions, safeFetch } from '#lib/core/net/safe-fetch.ts';
import { startHttpsServer, TEST_CA, type TestHttpsServer } from '#tests/setup/http/https-server.ts';

const HOST = 'shop.atelier.example';
let site: TestHttpsServer;
let seen: IncomingMessage[] = [];
const routes = new Map<string, (request: IncomingMessage, response: ServerResponse) => void>();

beforeAll(async () => {
  site = await startHttpsServer((request, response) => {
    seen.push(request);
    const route = routes.get(new URL(request.url!, 'https://x').pathname);
    if (route) route(request, response);
    else response.writeHead(404).end();
  });
});
afterAll(() => site.close());
afterEach(() => {
  seen = [];
  routes.clear();
  vi.unstubAllEnvs();
});

const toLoopback = async () => [{ address: '127.0.0.1', family: 4 as const }];
const at = (path: string, host = HOST) => `https://${host}:${site.port}${path}`;

/** `safeFetch` against the loopback server, which only this injected trust makes reachable. */
function fetchHere(address: string, options: SafeFetchOptions = {}) {
  return safeFetch(address, {
    resolve: toLoopback,
    timeoutMs: 60_000,
    ...options,
    policy: { ports: [site.port], ...options.policy },
    testTrust: { addresses: ['127.0.0.1'], ca: TEST_CA },
  });
}

async function refusal(work: Promise<unknown>): Promise<FetchRefusal> {
  const outcome = await work.then(
    () => null,
    (error: unknown) => error,
  );
  if (outcome instanceof FetchRefusal) return outcome;
  throw new Error(`expected a refusal, got ${String(outcome)}`);
}

describe('safeFetch reads', () => {
  test('a file, its type without parameters, and where it was found', async () => {
    routes.set('/a.html', (_request, response) => {
      response.writeHead(200, { 'content-type': 'Text/HTML; Charset="UTF-8"' }).end('<p>été</p>');
    });
    const result = await fetchHere(at('/a.html'));
    expect(new TextDecoder().decode(result.bytes)).toBe('<p>été</p>');
    expect(result).toMatchObject({ contentType: 'text/html', charset: 'utf-8', finalUrl: at('/a.html') });
  });

  test('through three redirects, checking and resolving each host anew', async () => {
    const names = ['one', 'two', 'three', 'four'].map((name) => `${name}.atelier.example`);
    for (const [index, status] of [301, 302, 308].entries()) {
      routes.set(`/${index}`, (_request, response) => {
        response.writeHead(status, { location: at(`/${index + 1}`, names[index + 1]) }).end('ignored');
      });
    }
    routes.set('/3', (_request, response) => void response.end('here'));
    const resolve = vi.fn((_name: string) => toLoopback());
    const result = await fetchHere(at('/0', names[0]), { resolve });
    expect(result.finalUrl).toBe(at('/3', names[3]));
    expect(resolve.mock.calls.map(([name]) => name)).toEqual(names);
    expect(seen.map((request) => request.headers.host)).toEqual(names.map((name) => `${name}:${site.port}`));
  });

  test('without credentials, cookies, referrer or proxy, asking for no compression', async () => {
    vi.stubEnv('HTTPS_PROXY', 'http://127.0.0.1:9');
    vi.stubEnv('https_proxy', 'http://127.0.0.1:9');
    routes.set('/0', (_request, response) => {
      response.writeHead(302, { location: '/1', 'set-cookie': 'a=b' }).end();
    });
    routes.set('/1', (_request, response) => void response.end('ok'));
    await fetchHere(at('/0'), { accept: ['*/*'] });
    for (const { headers, method } of seen) {
      expect(method).toBe('GET');
      expect(Object.keys(headers).sort()).toEqual([
        'accept',
        'accept-encoding',
        'connection',
        'host',
        'user-agent',
      ]);
      expect(headers['accept-encoding']).toBe('identity');
    }
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('a body that came compressed anyway: %s', async (encoding, compress) => {
    routes.set('/z', (_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(compress('compressé'.repeat(100)));
    });
    const { bytes } = await fetchHere(at('/z'));
    expect(new TextDecoder().decode(bytes)).toBe('compressé'.repeat(100));
  });

  test('a body of exactly the limit', async () => {
    routes.set('/a', (_request, response) => void response.end(Buffer.alloc(1000)));
    expect((await fetchHere(at('/a'), { maxBytes: 1000 })).bytes.byteLength).toBe(1000);
  });
});

describe('safeFetch never reaches a private machine', () => {
  test('loopback is refused without the injected trust, and nothing is sent', async () => {
    const outcome = await refusal(
      safeFetch(at('/a'), { policy: { ports: [site.port] }, resolve: toLoopback }),
    );
    expect(outcome.reason).toBe('private-address');
    expect(seen).toHaveLength(0);
  });

  test.each([
    ['10.0.0.8'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:10.0.0.1'],
    ['64:ff9b::7f00:1'],
    ['fd00::1'],
  ])('a public name that resolves to %s is refused', async (address) => {
    const family = address.includes(':') ? 6 : 4;
    const outcome = await refusal(fetchHere(at('/a'), { resolve: async () => [{ address, family }] }));
    expect(outcome.reason).toBe('private-address');
  });

  test('one private answer among public ones is refused', async () => {
    const resolve = async () => [
      { address: '127.0.0.1', family: 4 as const },
      { address: '192.168.0.1', family: 4 as const },
    ];
    expect((await refusal(fetchHere(at('/a'), { resolve }))).reason).toBe('private-address');
  });

  test('a name that changes its answer after the check is not asked a second time', async () => {
    const answers = ['127.0.0.1', '10.0.0.1'];
    const resolve = vi.fn(async () => [{ address: answers.shift()!, family: 4 as const }]);
    routes.set('/a', (_request, response) => void response.end('checked machine'));
    const { bytes } = await fetchHere(at('/a'), { resolve });
    expect(new TextDecoder().decode(bytes)).toBe('checked machine');
    expect(resolve).toHaveBeenCalledTimes(1);
    expect(seen[0]!.socket.localAddress).toBe('127.0.0.1');
  });

  test.each([
    ['https://169.254.169.254/latest/meta-data/', 'host-not-allowed'],
    ['http://169.254.169.254/latest/meta-data/', 'not-https'],
    ['//127.0.0.1/', 'host-not-allowed'],
    ['https://[::ffff:169.254.169.254]/', 'host-not-allowed'],
    ['https://2852039166/', 'host-not-allowed'],
    ['http://shop.atelier.example/', 'not-https'],
    ['https://user:pass@shop.atelier.example/', 'host-not-allowed'],
    ['https://metadata.google.internal/', 'host-not-allowed'],
    ['file:///etc/passwd', 'not-https'],
  ])('a redirect to %s is refused', async (location, reason) => {
    routes.set('/r', (_request, response) => void response.writeHead(302, { location }).end());
    expect((await refusal(fetchHere(at('/r')))).reason).toBe(reason);
    expect(seen).toHaveLength(1);
  });

  test('a redirect to a name that resolves privately is refused', async () => {
    routes.set('/r', (_request, response) => {
      response.writeHead(302, { location: at('/inside', 'inside.atelier.example') }).end();
    });
    const resolve = async (name: string) => [
      { address: name === HOST ? '127.0.0.1' : '10.1.2.3', family: 4 as const },
    ];
    expect((await refusal(fetchHere(at('/r'), { resolve }))).reason).toBe('private-address');
    expect(seen).toHaveLength(1);
  });

  test('a redirect out of the allow-list or out of the folder is refused', async () => {
    routes.set('/p/host', (_request, response) => {
      response.writeHead(302, { location: at('/p/a', 'other.atelier.example') }).end();
    });
    routes.set('/p/folder', (_request, response) => void response.writeHead(302, { location: '/q/a' }).end());
    const policy = { hosts: [HOST], permits: (url: URL) => url.pathname.startsWith('/p/') };
    expect((await refusal(fetchHere(at('/p/host'), { policy }))).detail).toBe('host');
    expect((await refusal(fetchHere(at('/p/folder'), { policy }))).detail).toBe('path');
  });

  test('the certificate must be of the name that was asked', async () => {
    routes.set('/a', (_request, response) => void response.end('a'));
    const outcome = await refusal(fetchHere(at('/a', 'shop.elsewhere.example')));
    expect(outcome).toMatchObject({ reason: 'unreadable', detail: 'tls' });
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    expect(await refusal(fetchHere(at('/a', 'shop.elsewhere.example')))).toMatchObject({ detail: 'tls' });
  });
});

describe('safeFetch stops', () => {
  test('at the fourth redirect, and in a loop', async () => {
    routes.set('/loop', (_request, response) => void response.writeHead(302, { location: '/loop' }).end());
    expect((await refusal(fetchHere(at('/loop')))).reason).toBe('too-many-redirects');
    expect(seen).toHaveLength(4);
  });

  test('a drip feed at the total time, though each byte comes quickly', async () => {
    routes.set('/drip', (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png' });
      const timer = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect((await refusal(fetchHere(at('/drip'), { timeoutMs: 400 }))).reason).toBe('timeout');
  });

  test('headers that never come, slow redirects and a name that never resolves at the same total time', async () => {
    routes.set('/silent', () => {});
    expect((await refusal(fetchHere(at('/silent'), { timeoutMs: 200 }))).reason).toBe('timeout');
    routes.set('/slow', (_request, response) => {
      setTimeout(() => response.writeHead(302, { location: '/slow' }).end(), 150);
    });
    expect((await refusal(fetchHere(at('/slow'), { timeoutMs: 300 }))).reason).toBe('timeout');
    const never = () => new Promise<never>(() => {});
    expect((await refusal(fetchHere(at('/a'), { timeoutMs: 100, resolve: never }))).reason).toBe('timeout');
  });

  test('a machine that accepts the connection and never speaks, or drips its headers, at the same total time', async () => {
    const mute = createServer((socket) => void socket.on('error', () => {}));
    await new Promise<void>((done) => mute.listen(0, '127.0.0.1', done));
    const { port } = mute.address() as AddressInfo;
    const work = fetchHere(`https://${HOST}:${port}/`, { timeoutMs: 200, policy: { ports: [port] } });
    expect((await refusal(work)).reason).toBe('timeout');
    mute.close();
    routes.set('/headers', (_request, response) => {
      const { socket } = response;
      socket!.write('HTTP/1.1 200 OK\r\nx-drip: ');
      const timer = setInterval(() => socket!.write('a'), 20);
      socket!.on('close', () => clearInterval(timer));
      socket!.on('error', () => {});
    });
    expect((await refusal(fetchHere(at('/headers'), { timeoutMs: 300 }))).reason).toBe('timeout');
  });

  test('when the caller does, with the caller’s reason', async () => {
    routes.set('/silent', () => {});
    const reason = new Error('enough');
    await expect(fetchHere(at('/silent'), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });

  test('with the caller even while it connects to a machine that never speaks', async () => {
    const stop = new AbortController();
    const reason = new Error('enough');
    const mute = createServer((socket) => {
      socket.on('error', () => {});
      stop.abort(reason);
    });
    await new Promise<void>((done) => mute.listen(0, '127.0.0.1', done));
    const { port } = mute.address() as AddressInfo;
    const options = { timeoutMs: 3_600_000, signal: stop.signal, policy: { ports: [port] } };
    await expect(fetchHere(`https://${HOST}:${port}/`, options)).rejects.toBe(reason);
    mute.close();
  });

  test('at the first byte over the limit, declared or not', async () => {
    routes.set('/declared', (_request, response) => {
      response.writeHead(200, { 'content-length': 5_000_000 }).write('a');
    });
    let written = 0;
    routes.set('/endless', (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(16_384))) written += 16_384;
      };
      response.on('drain', more);
      more();
    });
    expect(await refusal(fetchHere(at('/declared'), { maxBytes: 1_000_000 }))).toMatchObject({
      reason: 'too-large',
      detail: 'declared',
    });
    expect((await refusal(fetchHere(at('/endless'), { maxBytes: 1_000_000 }))).reason).toBe('too-large');
    expect(written).toBeLessThan(20_000_000);
  });

  test('told nothing else: 8 MB pass, one byte more does not, and the clock is of 20 s', async () => {
    const limit = 8 * 1024 * 1024;
    for (const [path, bytes] of [
      ['/full', limit],
      ['/over', limit + 1],
    ] as const)
      routes.set(path, (_request, response) => void response.end(Buffer.alloc(bytes)));
    const clock = vi.spyOn(globalThis, 'setTimeout');
    const plain = { timeoutMs: undefined };
    expect((await fetchHere(at('/full'), plain)).bytes.byteLength).toBe(limit);
    expect(clock.mock.calls[0]?.[1]).toBe(20_000);
    clock.mockRestore();
    expect((await refusal(fetchHere(at('/over'), plain))).reason).toBe('too-large');
  });

  test('a gzip bomb long before it is inflated', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    expect(bomb.byteLength).toBeLessThan(100_000);
    routes.set('/bomb', (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': bomb.byteLength }).end(bomb);
    });
    const before = process.memoryUsage().arrayBuffers;
    expect((await refusal(fetchHere(at('/bomb'), { maxBytes: 1_000_000 }))).reason).toBe('too-large');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * 1024 * 1024);
  });

  test('compressed bytes that decode to nothing for ever', async () => {
    const emptyBlock = Buffer.from([0x00, 0x00, 0x00, 0xff, 0xff]);
    const head = Buffer.from([0x78, 0x9c]);
    const body = Buffer.concat([head, ...Array.from({ length: 30_000 }, () => emptyBlock)]);
    routes.set('/empty', (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'deflate' }).end(body);
    });
    expect(await refusal(fetchHere(at('/empty'), { maxBytes: 100_000 }))).toMatchObject({
      reason: 'too-large',
      detail: 'received',
    });
  });
});

describe('safeFetch does not accept', () => {
  test.each([204, 206, 300, 304, 401, 403, 404, 500, 503])('status %i', async (status) => {
    routes.set('/s', (_request, response) => void response.writeHead(status).end());
    expect(await refusal(fetchHere(at('/s')))).toMatchObject({ reason: 'bad-status', status });
  });

  test('a type nobody asked for', async () => {
    routes.set(
      '/a',
      (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('a'),
    );
    expect(await refusal(fetchHere(at('/a'), { accept: ['image/*'] }))).toMatchObject({
      detail: 'content-type',
    });
    expect((await fetchHere(at('/a'), { accept: ['image/png', 'text/*'] })).contentType).toBe('text/html');
  });

  test('a body shorter than it said, cut in the middle, badly compressed or strangely encoded', async () => {
    routes.set('/short', (_request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('only this');
      setTimeout(() => response.socket?.destroy(), 20);
    });
    routes.set('/cut', (_request, response) => {
      response.write('chunk');
      setTimeout(() => response.socket?.destroy(), 20);
    });
    routes.set('/gzip', (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('a'.repeat(1000)).subarray(0, 15));
    });
    routes.set('/stacked', (_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip, gzip' }).end(gzipSync(gzipSync('a')));
    });
    for (const path of ['/short', '/cut', '/gzip', '/stacked']) {
      expect((await refusal(fetchHere(at(path)))).reason).toBe('unreadable');
    }
  });

  test('a name that does not exist', async () => {
    const resolve = async () => {
      throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    };
    expect(await refusal(fetchHere(at('/a'), { resolve }))).toMatchObject({
      reason: 'unreadable',
      detail: 'dns',
    });
  });

  test('and its refusals hold neither the address nor what the site said', async () => {
    routes.set('/secret', (_request, response) => void response.writeHead(500).end('token=abc'));
    const outcome = await refusal(fetchHere(at('/secret?key=abc')));
    expect(outcome.message).not.toMatch(/abc|secret|atelier/);
  });
});
