import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RenderCallback } from '#lib/studio/render-job.ts';
import { type CallbackVerdict, verifyCallback } from '#lib/studio/render-signature.ts';

export const STORE_TOKEN = 'vercel_blob_rw_teststore_0123456789abcdef';

export type Received = { verdict: CallbackVerdict; body: RenderCallback; messageId: string };

/** What a runner meets outside: a file store that honours client tokens, an image, and the callback address. */
export type Outside = {
  url: string;
  callbacks: Received[];
  stored: Map<string, { bytes: number; sha256: string }>;
  refusedUploads: string[];
  /** Statuses given to the next callbacks; then 204. */
  nextStatuses: number[];
  image: Buffer | undefined;
  close(): Promise<void>;
};

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

type TokenPayload = {
  pathname: string;
  validUntil: number;
  allowedContentTypes: string[];
  maximumSizeInBytes: number;
};

function tokenPayload(authorization: string): TokenPayload | undefined {
  const encoded = authorization.replace('Bearer vercel_blob_client_teststore_', '');
  const [signature, payload = ''] = Buffer.from(encoded, 'base64').toString('utf8').split('.');
  const expected = createHmac('sha256', STORE_TOKEN).update(payload).digest('hex');
  if (signature !== expected) return undefined;
  return JSON.parse(Buffer.from(payload, 'base64').toString('utf8')) as TokenPayload;
}

/** Starts it on a free loopback port. */
export async function startOutside(secrets: string[]): Promise<Outside> {
  const outside: Outside = {
    url: '',
    callbacks: [],
    stored: new Map(),
    refusedUploads: [],
    nextStatuses: [],
    image: undefined,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };

  async function store(request: IncomingMessage, response: ServerResponse, pathname: string): Promise<void> {
    const bytes = await bodyOf(request);
    const payload = tokenPayload(request.headers.authorization ?? '');
    const refuse = (status: number, code: string, message: string) => {
      outside.refusedUploads.push(pathname);
      response
        .writeHead(status, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { code, message } }));
    };
    if (!payload) return refuse(403, 'forbidden', 'bad token');
    if (payload.pathname !== pathname)
      return refuse(400, 'bad_request', '"pathname" does not match the token payload');
    if (payload.validUntil < Date.now()) return refuse(400, 'bad_request', 'Token expired');
    if (!payload.allowedContentTypes.includes(String(request.headers['x-content-type'])))
      return refuse(400, 'bad_request', 'contentType is not allowed');
    if (outside.stored.has(pathname)) return refuse(400, 'bad_request', 'This blob already exists');
    outside.stored.set(pathname, {
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    const url = `${outside.url}/files/${pathname}`;
    const answer = {
      url,
      downloadUrl: url,
      pathname,
      contentType: 'image/png',
      contentDisposition: 'inline',
      etag: '"1"',
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (request.method === 'PUT') return store(request, response, searchParams.get('pathname') ?? '');
    if (request.method === 'GET' && pathname === '/image') {
      response.writeHead(outside.image ? 200 : 404).end(outside.image);
      return;
    }
    const raw = await bodyOf(request);
    const headers = new Headers(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    );
    outside.callbacks.push({
      verdict: verifyCallback(raw, headers, secrets, new Date()),
      body: JSON.parse(raw.toString('utf8')) as RenderCallback,
      messageId: headers.get('webhook-id') ?? '',
    });
    response.writeHead(outside.nextStatuses.shift() ?? 204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  outside.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return outside;
}
