import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { listenHere } from './listen-here.ts';

export type HttpServer = { url: string; close(): Promise<void> };

/** Serves a function from request to response over HTTP on a free loopback port; bodies stream both ways. */
export async function startHttpServer(handle: (request: Request) => Promise<Response>): Promise<HttpServer> {
  const server = createServer(async (incoming, outgoing) => {
    const gone = new AbortController();
    outgoing.on('close', () => gone.abort());
    const headers = new Headers();
    for (const [name, value] of Object.entries(incoming.headers))
      for (const one of [value].flat()) if (one !== undefined) headers.append(name, one);
    const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD';
    // The handler must get the Host header as it was sent, even a forged one; the address of the request is always ours.
    const request = new Request(`http://127.0.0.1${incoming.url}`, {
      method: incoming.method ?? 'GET',
      headers,
      signal: gone.signal,
      ...(hasBody ? { body: Readable.toWeb(incoming) as unknown as BodyInit, duplex: 'half' } : {}),
    } as RequestInit);
    try {
      const response = await handle(request);
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      if (!response.body) return outgoing.end();
      Readable.fromWeb(response.body as unknown as ReadableStream)
        .on('error', () => outgoing.destroy())
        .pipe(outgoing);
    } catch {
      outgoing.writeHead(500).end();
    }
  });
  await listenHere(server);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
