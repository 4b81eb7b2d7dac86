import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { listenHere } from './listen-here.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8');

/** The certificate authority that signed the test certificate of `*.atelier.example`. */
export const TEST_CA = fixture('ca.pem');

export type TestHttpsServer = { server: Server; port: number; close: () => Promise<void> };

/** A real https server on loopback, with the test certificate and a free port. */
export async function startHttpsServer(listener: RequestListener): Promise<TestHttpsServer> {
  const server = createServer({ key: fixture('server.key'), cert: fixture('server.pem') }, listener);
  server.on('tlsClientError', () => {});
  await listenHere(server);
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((done) => {
      server.close(() => done());
      server.closeAllConnections();
    });
  return { server, port, close };
}
