import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { NodeNextRequest, NodeNextResponse } from 'next/dist/server/base-http/node.js';
import { sendResponse } from 'next/dist/server/send-response.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GET } from '#app/api/files/[...pathname]/route.ts';
import { createId } from '#lib/core/ids.ts';
import { sendDeclaredLengths } from '#lib/http/responses/declared-length.ts';
import { fileUrl } from '#lib/studio/journal/view.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { ORIGIN, useApi } from '#tests/setup/api.ts';
import { listenHere } from '#tests/setup/http/listen-here.ts';
import { sessionCookie, useBlobStore } from '#tests/setup/storage/blob.ts';

type Compression = () => (request: IncomingMessage, response: ServerResponse, next: () => void) => void;
const compression = createRequire(import.meta.url)('next/dist/compiled/compression') as Compression;

const service = useApi();
const blob = useBlobStore();
const BYTES = 300_000;

let cookie = '';
let base = '';
const picture = 'generations/gen_sent/image-1.png';
const pictogram = 'generations/gen_sent/pictogram.svg';

/** The route behind what Next puts between a handler and the wire: its compression, and its own sending of a Response. */
const listener: RequestListener = (incoming, outgoing) => {
  compression()(incoming, outgoing, async () => {
    const request = new Request(ORIGIN + incoming.url, {
      method: incoming.method ?? 'GET',
      headers: incoming.headers as Record<string, string>,
    });
    const response = await GET(request, { params: Promise.resolve({ pathname: [] }) });
    await sendResponse(new NodeNextRequest(incoming), new NodeNextResponse(outgoing), response);
  });
};
const server = createServer(listener);

beforeAll(async () => {
  sendDeclaredLengths();
  await listenHere(server);
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { account, member } = await makeAccount(service);
  cookie = await sessionCookie(service, member);
  for (const [pathname, contentType] of [
    [picture, 'image/png'],
    [pictogram, 'image/svg+xml'],
  ] as const) {
    const stored = await blob.store.put(pathname, Buffer.alloc(BYTES, 'a'), { contentType });
    const [now, accountId] = [new Date(), account.id];
    await service.db.asset.create({
      data: {
        id: createId('asset'),
        accountId,
        memberId: member.id,
        productId: 'libre',
        type: 'IMAGE',
        pathname,
        contentType,
        bytes: BigInt(BYTES),
        etag: stored.etag,
        createdAt: now,
        updatedAt: now,
      },
    });
  }
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function read(pathname: string, init: RequestInit & { headers?: Record<string, string> } = {}) {
  const response = await fetch(base + fileUrl(pathname), {
    ...init,
    headers: { cookie, 'accept-encoding': 'gzip', ...init.headers },
  });
  const received = (await response.arrayBuffer()).byteLength;
  return { status: response.status, length: response.headers.get('content-length'), received, response };
}

describe('a file, as it leaves the server', () => {
  it.each([picture, pictogram])('says its size: %s whole, by HEAD and in part', async (pathname) => {
    const length = String(BYTES);
    expect(await read(pathname)).toMatchObject({ status: 200, length, received: BYTES });
    expect(await read(pathname, { method: 'HEAD' })).toMatchObject({ status: 200, length, received: 0 });
    const part = await read(pathname, { headers: { range: 'bytes=1000-200999' } });
    expect(part).toMatchObject({ status: 206, length: '200000', received: 200_000 });
    expect(part.response.headers.get('content-range')).toBe(`bytes 1000-200999/${BYTES}`);
  });

  it('is never said to be longer or shorter than what comes: a compressed answer says no size', async () => {
    const { response } = await read(picture);
    expect([...response.headers.keys()].filter((name) => name.startsWith('x-declared'))).toEqual([]);
    const other = createServer((incoming, outgoing) => {
      compression()(incoming, outgoing, () => {
        outgoing.setHeader('Content-Type', 'text/plain');
        outgoing.setHeader('X-Declared-Length', '300000');
        outgoing.end('a'.repeat(300_000));
      });
    });
    await listenHere(other);
    const answer = await fetch(`http://127.0.0.1:${(other.address() as AddressInfo).port}`, {
      headers: { 'accept-encoding': 'gzip' },
    });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect(answer.headers.get('content-length')).toBeNull();
    expect(await answer.text()).toHaveLength(300_000);
    other.closeAllConnections();
    other.close();
  });
});
