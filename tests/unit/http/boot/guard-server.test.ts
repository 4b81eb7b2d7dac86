import { createServer, type IncomingMessage, request, Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { guardServer } from '#lib/http/boot/guard-server.ts';
import { listenHere } from '#tests/setup/http/listen-here.ts';

/** Runs `work` against a guarded server whose own handler answers « reached ». */
async function guarded(work: (base: string) => Promise<void>): Promise<void> {
  const { emit } = Server.prototype;
  const marks = Object.getOwnPropertySymbols(Server.prototype);
  guardServer();
  const server = createServer(({ url }, response) => {
    if (url === '/named') response.setHeader('Request-Id', 'req_own');
    response.writeHead(url === '/espaces/' ? 308 : 200).end('reached');
  });
  try {
    await listenHere(server);
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
    // Other tests of this process have their own servers.
    Server.prototype.emit = emit;
    for (const mark of Object.getOwnPropertySymbols(Server.prototype))
      if (!marks.includes(mark)) delete (Server.prototype as never)[mark];
  }
}

test.each([
  ['/api/files/%', '"code":"invalid"'],
  ['/api/generations/%zz', '"code":"invalid"'],
  ['/api/v1/spaces/%FF', '"code":"invalid_request"'],
  ['/api/oauth/%ZZ', '"error":"invalid_request"'],
  ['/api/mcp/%c3%28', '"code":-32700'],
  ['/espaces/%zz', 'Cette adresse est incorrecte.'],
])('%s never reaches a handler: 400 in the words of its neighbours', async (path, said) => {
  await guarded(async (base) => {
    const response = await fetch(base + path);
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining(said)]);
    expect(response.headers.get('request-id')).toMatch(/^req_/);
    expect((await fetch(`${base}/espaces/%C3%A9`)).status).toBe(200);
  });
});

test('TRACE never reaches a handler: 405 in the words of the address, under a Request-Id', async () => {
  await guarded(async (base) => {
    for (const [path, said] of [
      ['/api/v1/spaces', '"code":"method_not_allowed"'],
      ['/api/oauth/token', '"error":"invalid_request"'],
      // As for GET, which the route itself refuses: nothing was parsed.
      ['/api/mcp', '"code":-32000'],
    ] as const) {
      const answer = await new Promise<IncomingMessage>((resolve, reject) => {
        request(base + path, { method: 'TRACE' }, resolve)
          .on('error', reject)
          .end();
      });
      let text = '';
      for await (const part of answer) text += part;
      expect([answer.statusCode, text]).toEqual([405, expect.stringContaining(said)]);
      expect(answer.headers['request-id']).toMatch(/^req_/);
    }
  });
});

test.each([
  ['PROPFIND', '/api/v1/spaces', '"code":"method_not_allowed"'],
  ['SEARCH', '/api/oauth/token', '"error":"invalid_request"'],
  ['QUERY', '/api/mcp', '"code":-32000'],
  ['LOCK', '/espaces', 'Cette adresse n’accepte pas cette méthode.'],
])(
  '%s, which no route of Next can have, never reaches a handler: 405 in the words of the address',
  async (method, path, said) => {
    await guarded(async (base) => {
      const answer = await fetch(base + path, { method });
      expect([answer.status, await answer.text()]).toEqual([405, expect.stringContaining(said)]);
      expect(answer.headers.get('allow')).toContain('GET');
      for (const known of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
        expect([known, (await fetch(base + path, { method: known })).status]).toEqual([known, 200]);
    });
  },
);

/** Everything that a connection answers to these bytes, until the server closes it. */
function sendBytes(base: string, bytes: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(base).port), '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => {
      text += part;
    });
    socket.on('end', () => resolve(text)).on('error', reject);
  });
}

test('an address whose letters are not encoded is told so, in the words of the address, and not by a bare 400', async () => {
  await guarded(async (base) => {
    const ask = (line: string, encoding: 'utf8' | 'latin1' = 'utf8') =>
      sendBytes(base, Buffer.from(`${line} HTTP/1.1\r\nHost: x\r\n\r\n`, encoding));
    for (const [answer, said] of [
      [await ask('GET /api/v1/search?q=été'), '"code":"invalid_request"'],
      [await ask('GET /api/v1/search?q=été', 'latin1'), '"code":"invalid_request"'],
      [await ask('GET /api/generations?q=été'), '"code":"invalid"'],
      [await ask('GET /api/oauth/authorize?state=é'), '"error":"invalid_request"'],
      [await ask('GET /espaces/été'), 'Cette adresse contient'],
    ] as const) {
      const [head = '', body = ''] = answer.split('\r\n\r\n');
      expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
      expect(head).toMatch(/\r\nRequest-Id: req_[0-9a-z]{26}(\r\n|$)/);
      expect(head).toContain(`\r\nContent-Length: ${Buffer.byteLength(body)}`);
      expect(body).toContain(said);
      expect(body).toContain('%C3%A9');
    }
    expect((await ask('HEAD /api/v1/search?q=été')).split('\r\n\r\n')[1]).toBe('');
    // What else is no request stays Node's to refuse.
    expect(await ask('GET /api/v1/search?q=ton de la marque')).toMatch(
      /^HTTP\/1\.1 400 Bad Request\r\nConnection: close/,
    );
  });
});

test('a redirect that Next answers by itself leaves under a Request-Id; a route keeps its own', async () => {
  await guarded(async (base) => {
    const redirect = await fetch(`${base}/espaces/`, { redirect: 'manual' });
    expect([redirect.status, redirect.headers.get('request-id')]).toEqual([
      308,
      expect.stringMatching(/^req_[0-9a-z]{26}$/),
    ]);
    expect((await fetch(`${base}/named`)).headers.get('request-id')).toBe('req_own');
  });
});
