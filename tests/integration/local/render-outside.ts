import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { list } from '@vercel/blob';
import { openBlobServer } from '#lib/local/blob/server.ts';
import type { RenderCallback } from '#lib/studio/renders/render-job.ts';
import { type CallbackVerdict, verifyCallback } from '#lib/studio/renders/render-signature.ts';
import { listenHere } from '#tests/setup/http/listen-here.ts';

export type Received = { verdict: CallbackVerdict; body: RenderCallback; messageId: string };

/** What a runner meets outside: the embedded file store, an image, and a callback address that judges signatures. */
export type Outside = {
  url: string;
  storeApiUrl: string;
  storeToken: string;
  callbacks: Received[];
  /** Statuses given to the next callbacks; then 204. */
  nextStatuses: number[];
  image: Buffer | undefined;
  /** What the store holds: hex SHA-256 by pathname. */
  stored(): Promise<Map<string, string>>;
  close(): Promise<void>;
};

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Starts it on free loopback ports, its files in `dataDir`. */
export async function startOutside(dataDir: string, secrets: string[]): Promise<Outside> {
  const store = await openBlobServer({ dataDir });
  process.env.VERCEL_BLOB_API_URL = store.apiUrl;
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      response.writeHead(outside.image ? 200 : 404).end(outside.image);
      return;
    }
    const raw = await bodyOf(request);
    const headers = new Headers(
      Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
    );
    outside.callbacks.push({
      verdict: verifyCallback(raw, headers, secrets, new Date()),
      body: JSON.parse(raw.toString('utf8')) as RenderCallback,
      messageId: headers.get('webhook-id') ?? '',
    });
    response.writeHead(outside.nextStatuses.shift() ?? 204).end();
  });
  await listenHere(server);
  const outside: Outside = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    storeApiUrl: store.apiUrl,
    storeToken: store.token,
    callbacks: [],
    nextStatuses: [],
    image: undefined,
    async stored() {
      const found = new Map<string, string>();
      const { blobs } = await list({ token: store.token });
      for (const { pathname, url } of blobs) {
        const response = await fetch(url, { headers: { authorization: `Bearer ${store.token}` } });
        if (!response.ok) throw new Error(`the store answered ${response.status}`);
        const bytes = new Uint8Array(await response.arrayBuffer());
        found.set(pathname, createHash('sha256').update(bytes).digest('hex'));
      }
      return found;
    },
    async close() {
      server.closeAllConnections();
      await Promise.all([store.close(), new Promise((resolve) => server.close(resolve))]);
    },
  };
  return outside;
}
