import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { exposePeers, PEER_HEADER } from '#lib/http/requests/peer.ts';
import { listenHere } from '#tests/setup/http/listen-here.ts';
import config from '../../../../next.config.ts';

it('a request says whose connection it came by, whatever its sender wrote', async () => {
  exposePeers();
  const server = createServer((asked, response) => response.end(JSON.stringify(asked.headers)));
  await listenHere(server);
  const { port } = server.address() as AddressInfo;
  try {
    const seen = await new Promise<string>((resolve, reject) => {
      request({ port, headers: { [PEER_HEADER]: ['6.6.6.6', '7.7.7.7'] } }, async (response) =>
        resolve(Buffer.concat(await response.toArray()).toString()),
      )
        .on('error', reject)
        .end();
    });
    expect(JSON.parse(seen)[PEER_HEADER]).toBe('127.0.0.1');
  } finally {
    server.close();
  }
});

it('browsers keep to https on the API, the metadata and shares as they do on pages', async () => {
  const rules = (await config.headers?.()) ?? [];
  for (const source of ['/api/:path*', '/.well-known/:path*', '/partage/:path+'])
    expect(rules.find((rule) => rule.source === source)?.headers).toContainEqual({
      key: 'Strict-Transport-Security',
      value: 'max-age=63072000; includeSubDomains',
    });
});
