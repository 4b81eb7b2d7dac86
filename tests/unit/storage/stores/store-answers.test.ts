import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { inTime } from '#lib/storage/store-fault.ts';
import { configuredStore } from '#lib/storage/stores/configured-store.ts';
import { s3Store } from '#lib/storage/stores/s3-store.ts';
import { readStoreVisibility } from '#lib/storage/stores/store-visibility.ts';
import { memoryStore } from '#tests/factories/memory-store.ts';
import { listenHere } from '#tests/setup/http/listen-here.ts';

afterEach(() => void vi.useRealTimers());

/** A bucket that gives the scripted answers, whatever is asked. */
async function bucketThat(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => answer(request, response));
  });
  await listenHere(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return s3Store({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'fr-par',
    bucket: 'b',
    accessKeyId: 'A',
    secretAccessKey: 'S',
    pathStyle: true,
    conditionalWrites: true,
  });
}
const xml = (content: string) => `<?xml version="1.0" encoding="UTF-8"?>${content}`;

describe('a bucket', () => {
  it('whose file went between the look at it and its deletion has deleted it', async () => {
    const store = await bucketThat(({ method }, response) => {
      if (method === 'HEAD') return response.writeHead(200, { etag: '"e"', 'content-length': '1' }).end();
      response
        .writeHead(404, { 'content-type': 'application/xml' })
        .end(xml('<Error><Code>NoSuchKey</Code><Message>m</Message></Error>'));
    });
    expect(await store.delete(['a.txt'], { ifMatch: '"e"' })).toBe('deleted');
  });

  it.each([
    ['AccessDenied', 'the store kept 1 files: AccessDenied'],
    ['InternalError', 'the store kept 1 files: InternalError'],
    ['NoSuchKey', null],
  ])('that says %s of one file among several that are deleted is believed', async (code, fault) => {
    const store = await bucketThat((_, response) => {
      const said = `<Error><Key>b.txt</Key><Code>${code}</Code><Message>m</Message></Error>`;
      response
        .writeHead(200, { 'content-type': 'application/xml' })
        .end(xml(`<DeleteResult>${said}</DeleteResult>`));
    });
    const asked = store.delete(['a.txt', 'b.txt']);
    if (fault) await expect(asked).rejects.toThrow(fault);
    else expect(await asked).toBe('deleted');
  });

  it('signs an address for seven days at most: the protocol lets none live longer', async () => {
    const store = await bucketThat((_, response) => response.end());
    const url = new URL(await store.sign('a.txt', { expiresAt: new Date(Date.now() + 30 * 86_400_000) }));
    expect(url.searchParams.get('X-Amz-Expires')).toBe('604800');
  });

  it('is public when a file of it is, though its list is refused', async () => {
    const files = { storeToken: null, storeApiUrl: null, bucketAddress: 'https://b.example/' };
    const asked: string[] = [];
    const unsigned = (isOpen: (address: string) => boolean) => async (address: RequestInfo | URL) => {
      asked.push(String(address));
      return new Response(null, { status: isOpen(String(address)) ? 200 : 403 });
    };
    const look = (isOpen: (address: string) => boolean) =>
      readStoreVisibility({ ...files, store: memoryStore() }, unsigned(isOpen));
    expect(await look((address) => !address.includes('list-type'))).toBe('public');
    expect(await look((address) => address.includes('list-type'))).toBe('public');
    expect(await look(() => false)).toBe('private');
    expect(asked.length).toBe(5);
  });
});

it('the store of this machine is known at no address: where the service is reached says nothing of whose it is', () => {
  const at = (storeApiUrl: string | undefined) =>
    configuredStore({
      BLOB_READ_WRITE_TOKEN: 'vercel_blob_rw_local_secret',
      VERCEL_BLOB_API_URL: storeApiUrl,
      SERVICE_PUBLIC_URL: 'https://atelier.example/',
    }).origin;
  expect(at('http://127.0.0.1:4100')).toBeNull();
  expect(at(undefined)).toBe('https://atelier.example');
});

it('a call to the store has a minute, and a minute more whenever it goes on', async () => {
  vi.useFakeTimers();
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  let isLate = false;
  let goOn = () => {};
  const call = inTime('put', (signal, goesOn) => {
    goOn = goesOn;
    signal.addEventListener('abort', () => {
      isLate = true;
    });
    return over;
  });
  for (const _ of [1, 2, 3]) {
    await vi.advanceTimersByTimeAsync(59_999);
    goOn();
  }
  expect(isLate).toBe(false);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(isLate).toBe(true);
  end();
  await call;
});
