import { createServer, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { guardServer } from '#lib/http/runtime/guard-server.ts';

/** A server whose own handler says that it was reached, guarded for the time of `work`. */
async function guarded(work: (base: string) => Promise<void>): Promise<void> {
  const { emit } = Server.prototype;
  const marks = Object.getOwnPropertySymbols(Server.prototype);
  guardServer();
  const server = createServer((_, response) => response.writeHead(200).end('reached'));
  try {
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.close();
    // Other tests of this process have servers of their own.
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
