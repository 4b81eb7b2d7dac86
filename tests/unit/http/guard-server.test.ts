import { createServer, type IncomingMessage, request, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
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
