import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { stdoutLogger } from '#lib/core/log.ts';
import { OtherBytes } from '#lib/core/net/checked-stream.ts';
import { SilentStream } from '#lib/core/net/limit-silence.ts';
import { TooManyBytes } from '#lib/core/net/read-capped.ts';
import { refusePublicStore } from '#lib/http/boot/refuse-public-store.ts';
import { routeBlobHosts } from '#lib/local/blob/route-hosts.ts';
import { openBlobServer } from '#lib/local/blob/server.ts';
import { type FileStore, vercelBlobStore } from '#lib/storage/file-store.ts';
import { OWNER_MARK } from '#lib/storage/pathnames.ts';
import { configuredStore } from '#lib/storage/stores/configured-store.ts';
import { type S3Options, s3Options } from '#lib/storage/stores/s3-options.ts';
import { s3Store } from '#lib/storage/stores/s3-store.ts';
import { memoryStore } from '#tests/factories/memory-store.ts';
import { listenHere } from '#tests/setup/http/listen-here.ts';
import { openS3Server } from '#tests/setup/storage/s3-server.ts';

type Opened = { store: FileStore; s3?: S3Options; close(): Promise<void> };

/** One suite for every store: in memory, Vercel Blob's protocol, S3. `TEST_S3_…` name a bucket of a real server instead of the stand-in. */
const STORES: Record<string, () => Promise<Opened>> = {
  memory: async () => ({ store: memoryStore(), close: async () => undefined }),
  blob: openBlob,
  s3: openS3,
};

async function openBlob(): Promise<Opened> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'file-store-'));
  const server = await openBlobServer({ dataDir });
  for (const [name, value] of Object.entries({ ...server.env, VERCEL_BLOB_RETRIES: '0' }))
    vi.stubEnv(name, value);
  routeBlobHosts(server.apiUrl);
  const close = async () => {
    vi.unstubAllEnvs();
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { store: vercelBlobStore({ token: server.token }), close };
}

async function openS3(): Promise<Opened> {
  const real = s3Options(
    Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value]) =>
        name.startsWith('TEST_S3_') ? [[name.slice('TEST_'.length), value]] : [],
      ),
    ),
  );
  if (real) return { store: s3Store(real), s3: real, close: async () => undefined };
  const { close, ...server } = await openS3Server();
  const options = { ...server, pathStyle: true, conditionalWrites: true };
  return { store: s3Store(options), s3: options, close };
}

const text = async (stream: ReadableStream<Uint8Array> | undefined) =>
  stream && new Response(stream as BodyInit).text();
const bytesOf = (content: string) => new TextEncoder().encode(content);
function* pieces(content: Uint8Array) {
  for (let at = 0; at < content.byteLength; at += 65_536) yield content.subarray(at, at + 65_536);
}

describe.each(Object.keys(STORES))('the file store: %s', (name) => {
  let opened: Opened;
  let store: FileStore;
  const folder = `references/essai-${randomBytes(6).toString('hex')}/`;
  beforeAll(async () => {
    opened = await (STORES[name] as () => Promise<Opened>)();
    store = opened.store;
  });
  afterAll(() => opened.close());

  it('gives back what was put: bytes, type, size, ETag; nothing for what is not there', async () => {
    const pathname = `${folder}été 1+(a)&b.png`;
    const put = await store.put(pathname, bytesOf('bonjour'), { contentType: 'image/png' });
    const head = await store.head(pathname);
    expect(head).toMatchObject({
      pathname,
      url: put.url,
      contentType: 'image/png',
      bytes: 7,
      etag: put.etag,
    });
    expect(Math.abs(Date.now() - (head?.uploadedAt?.getTime() ?? 0))).toBeLessThan(600_000);
    const read = await store.read(pathname, { maxBytes: 7 });
    expect([new TextDecoder().decode(read?.bytes), read?.contentType]).toEqual(['bonjour', 'image/png']);
    await expect(store.read(pathname, { maxBytes: 6 })).rejects.toThrow();
    const missing = `${folder}nothing.png`;
    expect([
      await store.head(missing),
      await store.read(missing, { maxBytes: 9 }),
      await store.open(missing),
    ]).toEqual([null, null, null]);
  });

  it('writes over, and tells other bytes by another ETag', async () => {
    const pathname = `${folder}over.txt`;
    const first = await store.put(pathname, bytesOf('a'), { contentType: 'text/plain' });
    const second = await store.put(pathname, bytesOf('b'), { contentType: 'text/plain' });
    expect(second.etag).not.toBe(first.etag);
    expect((await store.head(pathname))?.etag).toBe(second.etag);
  });

  // Where a bucket takes no conditional write (S3_CONDITIONAL_WRITES=0, as Swift), it is asked for none.
  const isUnconditional = name === 's3' && process.env.TEST_S3_CONDITIONAL_WRITES === '0';
  it.skipIf(isUnconditional)(
    'leaves what is there as it is when it is asked for a new file only',
    async () => {
      const pathname = `${folder}once.txt`;
      const once = { contentType: 'text/plain', onlyNew: true };
      const first = await store.put(pathname, bytesOf('a'), once);
      await expect(store.put(pathname, bytesOf('b'), once)).rejects.toThrow();
      expect((await store.head(pathname))?.etag).toBe(first.etag);
      expect(await text((await store.open(pathname))?.stream)).toBe('a');
    },
  );

  it('takes a file as it is read, as it takes one whole; of one that is cut or another, nothing, and what lay there stays', async () => {
    const pathname = `${folder}film.mp4`;
    const large = randomBytes(3 * 1024 * 1024);
    const streamed = async (content: Uint8Array, read = content) => {
      const told = { bytes: content.byteLength, sha256: createHash('sha256').update(content).digest('hex') };
      const stream = Readable.from(pieces(read), { objectMode: false });
      return store.putStream(pathname, { ...told, stream }, { contentType: 'video/mp4' });
    };
    const wrong = Buffer.concat([large.subarray(0, -1), bytesOf(large.at(-1) === 33 ? '?' : '!')]);
    const cut = [wrong, large.subarray(0, -1), Buffer.concat([large, bytesOf('!')])];
    for (const read of cut) await expect(streamed(large, read)).rejects.toThrow(OtherBytes);
    expect(await store.head(pathname)).toBeNull();
    const put = await streamed(large);
    const whole = await store.put(`${folder}whole.mp4`, large, { contentType: 'video/mp4' });
    expect(put).toMatchObject({
      pathname,
      contentType: 'video/mp4',
      bytes: large.byteLength,
      etag: whole.etag,
    });
    expect(await store.head(pathname)).toMatchObject({ url: put.url, bytes: put.bytes, etag: put.etag });
    for (const read of cut) await expect(streamed(large, read)).rejects.toThrow(OtherBytes);
    const read = await store.read(pathname, { maxBytes: large.byteLength });
    expect(large.equals(read?.bytes ?? new Uint8Array())).toBe(true);
    expect((await streamed(bytesOf(''))).bytes).toBe(0);
  });

  it('says at what name its database is told, where another could reach it, and gives a text as it is now', async () => {
    expect(store.ownerMark).toBe(name === 'memory' ? undefined : OWNER_MARK);
    const pathname = `${folder}mark.json`;
    const now = { maxBytes: 9, fresh: true };
    expect(await store.read(pathname, now)).toBeNull();
    for (const said of ['a', 'b']) {
      await store.put(pathname, bytesOf(said), { contentType: 'application/json' });
      expect(new TextDecoder().decode((await store.read(pathname, now))?.bytes)).toBe(said);
    }
  });

  it('opens the whole or one range of it', async () => {
    const pathname = `${folder}range.bin`;
    const { etag } = await store.put(pathname, bytesOf('0123456789'), { contentType: 'video/mp4' });
    const whole = await store.open(pathname);
    expect(whole).toMatchObject({ etag, bytes: 10, range: false });
    expect(await text(whole?.stream)).toBe('0123456789');
    const part = await store.open(pathname, { range: { start: 2, end: 4 } });
    expect(part?.range).toBe(true);
    expect(await text(part?.stream)).toBe('234');
  });

  it('lists a folder page by page in the order of pathnames, each file once', async () => {
    const names = ['b', 'a', 'c', 'é', 'd'].map((one) => `${folder}list/${one}.txt`);
    for (const one of names) await store.put(one, bytesOf('x'), { contentType: 'text/plain' });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await store.list({ prefix: `${folder}list/`, limit: 2, ...(cursor ? { cursor } : {}) });
      expect(page.files.length).toBeLessThanOrEqual(2);
      seen.push(...page.files.map(({ pathname }) => pathname));
      cursor = page.cursor;
    } while (cursor);
    expect(seen).toEqual([...names].sort());
    expect((await store.list({ prefix: `${folder}none/` })).files).toEqual([]);
  });

  it('deletes several, what is not there too, and under an ETag only the file that was seen', async () => {
    const names = ['x', 'y & z', 'w'].map((one) => `${folder}gone/${one}.txt`);
    const [first = ''] = names;
    const { etag } = await store.put(first, bytesOf('1'), { contentType: 'text/plain' });
    for (const one of names.slice(1)) await store.put(one, bytesOf('x'), { contentType: 'text/plain' });
    const { etag: later } = await store.put(first, bytesOf('2'), { contentType: 'text/plain' });
    expect(await store.delete([first], { ifMatch: etag })).toBe('changed');
    expect(await store.head(first)).not.toBeNull();
    expect(await store.delete([first], { ifMatch: later })).toBe('deleted');
    expect(await store.delete([first], { ifMatch: later })).toBe('deleted');
    expect(await store.delete([...names, `${folder}gone/never.txt`])).toBe('deleted');
    expect((await store.list({ prefix: `${folder}gone/` })).files).toEqual([]);
  });

  // In memory, an address is a key: there is nothing to fetch.
  if (name !== 'memory')
    it('is private: an address alone opens nothing, a signed one opens its file and no other', async () => {
      const [mine, other] = [`${folder}sign 1.txt`, `${folder}other.txt`];
      const { url } = await store.put(mine, bytesOf('signed'), { contentType: 'text/plain' });
      await store.put(other, bytesOf('other'), { contentType: 'text/plain' });
      expect([400, 401, 403]).toContain((await fetch(url)).status);
      const signed = await store.sign(mine, { expiresAt: new Date(Date.now() + 600_000) });
      const answer = await fetch(signed);
      expect([answer.status, await answer.text()]).toEqual([200, 'signed']);
      expect((await fetch(signed.replace(/sign[^/?]*\.txt/, 'other.txt'))).status).toBe(403);
    });
});

describe('the file store: blob, as the cloud serves it', () => {
  it('is asked for bytes as they lie, whose length it tells; where it tells none, none is made up', async () => {
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg">${'<g/>'.repeat(1_000)}</svg>`;
    let tells = true;
    const server = createServer((request, response) => {
      const isPacked = /\b(gzip|br)\b/.test(String(request.headers['accept-encoding']));
      response.writeHead(200, {
        'content-type': 'image/svg+xml',
        etag: isPacked ? 'W/"drawing"' : '"drawing"',
        ...(isPacked ? { 'content-encoding': 'gzip' } : {}),
        ...(tells && !isPacked ? { 'content-length': drawing.length } : {}),
      });
      response.end(isPacked ? gzipSync(drawing) : drawing);
    });
    await listenHere(server);
    routeBlobHosts(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const store = vercelBlobStore({ token: 'vercel_blob_rw_packing_secret' });
    const pathname = 'generations/gen_a/dessin.svg';
    const opened = await store.open(pathname);
    expect(opened).toMatchObject({ bytes: drawing.length, etag: '"drawing"', range: false });
    expect(await text(opened?.stream)).toBe(drawing);
    const read = await store.read(pathname, { maxBytes: drawing.length });
    expect(new TextDecoder().decode(read?.bytes)).toBe(drawing);
    tells = false;
    const untold = await store.open(pathname);
    expect(untold?.bytes).toBeNull();
    expect(await text(untold?.stream)).toBe(drawing);
    server.closeAllConnections();
    server.close();
  });

  it('says which call was refused, that for a signed address too', async () => {
    const { close } = await openBlob();
    const stranger = vercelBlobStore({ token: 'vercel_blob_rw_stranger_secret' });
    const expiresAt = new Date(Date.now() + 600_000);
    await expect(stranger.sign('references/x.png', { expiresAt })).rejects.toMatchObject({
      statement: 'store.sign',
      status: 403,
    });
    await close();
  });
});

describe('the file store: s3, which no other is like', () => {
  let opened: Opened;
  let store: FileStore;
  let options: S3Options;
  const folder = `references/essai-${randomBytes(6).toString('hex')}/`;
  beforeAll(async () => {
    opened = await openS3();
    store = opened.store;
    if (!opened.s3) throw new Error('It was opened without its options.');
    options = opened.s3;
  });
  afterAll(() => opened.close());

  it('where it gives addresses to write at: one file, once, of that type and size, until it expires', async () => {
    const { grantWrite } = store;
    if (!grantWrite) throw new Error('S3 gives addresses to write at.');
    // The stand-in does; a real server that is named for this run may not.
    expect(options.conditionalWrites || process.env.TEST_S3_BUCKET !== undefined).toBe(true);
    const soon = () => new Date(Date.now() + 600_000);
    const bytes = (process.env.TEST_S3_BUCKET ? 50 : 2) * 1024 * 1024;
    const pathname = `${folder}rush-${randomBytes(4).toString('hex')}.mp4`;
    const { url, headers } = await grantWrite(pathname, {
      contentType: 'video/mp4',
      bytes,
      expiresAt: soon(),
    });
    const send = (body: Uint8Array, more: Record<string, string> = {}, to = url) =>
      fetch(to, { method: 'PUT', headers: { ...headers, ...more }, body: body as BodyInit });
    const clip = randomBytes(bytes);
    expect((await send(clip.subarray(1))).status, 'another size').toBe(403);
    expect((await send(clip, { 'content-type': 'text/html' })).status, 'another type').toBe(403);
    expect((await send(clip, {}, url.replace('rush-', 'rash-'))).status, 'another file').toBe(403);
    if (options.conditionalWrites)
      expect(
        (await fetch(url, { method: 'PUT', headers: { 'content-type': 'video/mp4' }, body: clip })).status,
      ).toBe(403);
    expect(await store.head(pathname)).toBeNull();
    expect((await send(clip)).status).toBeLessThan(300);
    expect(await store.head(pathname)).toMatchObject({ bytes, contentType: 'video/mp4' });
    if (options.conditionalWrites) expect((await send(clip)).status, 'over it').toBe(412);
    const late = await grantWrite(`${folder}late.mp4`, {
      contentType: 'video/mp4',
      expiresAt: new Date(),
    });
    await new Promise((resolve) => setTimeout(resolve, 2_100));
    expect([400, 401, 403]).toContain((await send(clip, {}, late.url)).status);
  });

  it('stores and reads for everybody else while more files than a client has connections are read by who takes their time', async () => {
    const pathname = `${folder}film.mp4`;
    // Larger than what a connection holds by itself: none of them is over before it is read.
    await store.put(pathname, randomBytes(4 * 1024 * 1024), { contentType: 'video/mp4' });
    const slow = await Promise.all(Array.from({ length: 60 }, () => store.open(pathname)));
    expect(slow.every((one) => one?.bytes === 4 * 1024 * 1024)).toBe(true);
    const paid = `${folder}paid.png`;
    await store.put(paid, bytesOf('paid'), { contentType: 'image/png' });
    expect(await text((await store.open(paid))?.stream)).toBe('paid');
    await Promise.all(slow.map((one) => one?.stream.cancel()));
  });

  it('deletes under the ETag that it compared where the store refuses the condition, and still nothing that changed', async () => {
    const server = await openS3Server();
    server.conditionalDeletions = false;
    const refusing = s3Store({ ...server, pathStyle: true, conditionalWrites: true });
    const pathname = `${folder}gone.txt`;
    const first = await refusing.put(pathname, bytesOf('1'), { contentType: 'text/plain' });
    const { etag } = await refusing.put(pathname, bytesOf('2'), { contentType: 'text/plain' });
    expect(await refusing.delete([pathname], { ifMatch: first.etag })).toBe('changed');
    expect(await refusing.head(pathname)).not.toBeNull();
    expect(await refusing.delete([pathname], { ifMatch: etag })).toBe('deleted');
    expect(await refusing.head(pathname)).toBeNull();
    await server.close();
  });

  it('deletes under the ETag of a list that tells it without its quotes, and still nothing that changed', async () => {
    const server = await openS3Server();
    server.quotedLists = false;
    const bare = s3Store({ ...server, pathStyle: true, conditionalWrites: true });
    const pathname = `${folder}bare.txt`;
    const listed = async () => (await bare.list({ prefix: pathname })).files[0]?.etag ?? 'none';
    await bare.put(pathname, bytesOf('1'), { contentType: 'text/plain' });
    const first = await listed();
    await bare.put(pathname, bytesOf('2'), { contentType: 'text/plain' });
    expect(await bare.delete([pathname], { ifMatch: first })).toBe('changed');
    expect(await bare.delete([pathname], { ifMatch: await listed() })).toBe('deleted');
    expect(await bare.head(pathname)).toBeNull();
    await server.close();
  });

  it.each(['none', 'zero'] as const)(
    'knows of no arrival that the store does not tell: a file of unknown age is none of long ago (%s)',
    async (dates) => {
      const server = await openS3Server();
      server.dates = dates;
      const untold = s3Store({ ...server, pathStyle: true, conditionalWrites: true });
      const pathname = `${folder}untold.txt`;
      await untold.put(pathname, bytesOf('1'), { contentType: 'text/plain' });
      expect(await untold.head(pathname)).toMatchObject({ pathname, bytes: 1, uploadedAt: null });
      expect((await untold.list({ prefix: folder })).files).toMatchObject([{ pathname, uploadedAt: null }]);
      await server.close();
    },
  );

  it('throws, and says nothing was there to nobody, when its keys are wrong', async () => {
    const stranger = s3Store({ ...options, secretAccessKey: 'wrong' });
    await expect(stranger.head(`${folder}over.txt`)).rejects.toMatchObject({ status: 403 });
    await expect(
      stranger.put(`${folder}x`, bytesOf('x'), { contentType: 'text/plain' }),
    ).rejects.toMatchObject({
      statement: 'store.put',
      status: 403,
    });
  });

  it('throws where its bucket is missing, and where no store answers: no file is called missing, or deleted', async () => {
    const html = createServer((_, response) => {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<html><body>Not found</body></html>');
    });
    await listenHere(html);
    const { port } = html.address() as AddressInfo;
    const places: Partial<S3Options>[] = [
      { bucket: `${options.bucket}-none` },
      { endpoint: `http://127.0.0.1:${port}`, pathStyle: true },
    ];
    for (const place of places) {
      const elsewhere = s3Store({ ...options, ...place });
      const pathname = `${folder}over.txt`;
      const asked = {
        head: () => elsewhere.head(pathname),
        read: () => elsewhere.read(pathname, { maxBytes: 9 }),
        open: () => elsewhere.open(pathname),
        delete: () => elsewhere.delete([pathname]),
        'delete what did not change': () => elsewhere.delete([pathname], { ifMatch: '"e"' }),
      };
      for (const [name, ask] of Object.entries(asked))
        await expect(ask(), name).rejects.toMatchObject({ status: 404 });
    }
    html.closeAllConnections();
    html.close();
  });
});

const SILENCE_MS = 100;
/** The stores of the cloud at an address where something else answers. */
const STORES_AT: Record<string, (address: string) => FileStore> = {
  blob: (address) => {
    routeBlobHosts(address);
    return vercelBlobStore({ token: 'vercel_blob_rw_silent_secret', silenceMs: SILENCE_MS });
  },
  s3: (endpoint) =>
    s3Store({
      endpoint,
      region: 'fr-par',
      bucket: 'atelier-tests',
      accessKeyId: 'key',
      secretAccessKey: 'secret',
      pathStyle: true,
      conditionalWrites: true,
      silenceMs: SILENCE_MS,
    }),
};

/** Answers every request with the beginning of a file; tells when its connection ends. */
async function openAnswering(
  length: { 'content-length'?: number },
  send: (response: ServerResponse) => void,
) {
  const { promise: left, resolve: gone } = Promise.withResolvers<void>();
  const server = createServer((_, response) => {
    response.on('close', () => gone());
    response.writeHead(200, { 'content-type': 'video/mp4', etag: '"film"', ...length });
    send(response);
  });
  await listenHere(server);
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, left, close };
}

describe('a store that does not tell how long a file is', () => {
  it.each(Object.keys(STORES_AT))('is not read past what was asked for, nor held: %s', async (name) => {
    // It has no end.
    const { address, left, close } = await openAnswering({}, (response) => {
      Readable.from(
        (function* () {
          for (;;) yield Buffer.alloc(1_000);
        })(),
        { objectMode: false },
      ).pipe(response);
    });
    const reading = STORES_AT[name]?.(address).read('generations/gen_a/film.mp4', { maxBytes: 100_000 });
    await expect(reading).rejects.toBeInstanceOf(TooManyBytes);
    await left;
    close();
  });
});

describe('a store that begins a file and then sends nothing more', () => {
  it.each(Object.keys(STORES_AT))('holds no reader of it for long, nor a connection: %s', async (name) => {
    const { address, left, close } = await openAnswering({ 'content-length': 1_000 }, (response) => {
      response.write('bon');
    });
    const opened = await STORES_AT[name]?.(address).open('generations/gen_a/film.mp4');
    const reader = opened?.stream.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('bon');
    // Its reader takes longer than the store may, then waits for what does not come.
    await new Promise((resolve) => setTimeout(resolve, 3 * SILENCE_MS));
    await expect(reader?.read()).rejects.toBeInstanceOf(SilentStream);
    await left;
    close();
  });
});

describe('a store that anybody may read', () => {
  const deps = (lines: string[]) => ({
    fetchUnsigned: fetch,
    log: { ...stdoutLogger, warn: (event: string) => void lines.push(event) },
  });

  it('is refused at boot; a private one is not, and one that does not answer is only told', async () => {
    const server = await openS3Server();
    const env = {
      S3_ENDPOINT: server.endpoint,
      S3_BUCKET: server.bucket,
      S3_REGION: server.region,
      S3_ACCESS_KEY_ID: server.accessKeyId,
      S3_SECRET_ACCESS_KEY: server.secretAccessKey,
    };
    const lines: string[] = [];
    await refusePublicStore(configuredStore(env), deps(lines));
    server.public = true;
    await expect(refusePublicStore(configuredStore(env), deps(lines))).rejects.toThrow('doit être privé');
    expect(lines).toEqual([]);
    await server.close();
    await refusePublicStore(configuredStore(env), deps(lines));
    expect(lines).toEqual(['boot.store_unknown']);
  });
});
