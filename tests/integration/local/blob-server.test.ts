import { execFileSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import * as sdk from '@vercel/blob';
import * as client from '@vercel/blob/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { BlobIndex } from '#lib/local/blob/index.ts';
import { routeBlobHosts } from '#lib/local/blob/route-hosts.ts';
import { type BlobServer, openBlobServer } from '#lib/local/blob/server.ts';
import { commitBlob, receive } from '#lib/local/blob/store.ts';
import { createUpload, receivePart } from '#lib/local/blob/uploads.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { listenHere } from '#tests/setup/http/listen-here.ts';
import { until } from '#tests/setup/until.ts';

let dataDir: string;
let store: BlobServer;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'blob-server-'));
  store = await openBlobServer({ dataDir });
  for (const [name, value] of Object.entries({ ...store.env, VERCEL_BLOB_RETRIES: '0' }))
    vi.stubEnv(name, value);
  routeBlobHosts(store.apiUrl);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await store.close();
  await rm(dataDir, { recursive: true, force: true });
});

const text = async (blob: Awaited<ReturnType<typeof sdk.get>>) =>
  blob?.stream ? new Response(blob.stream as ReadableStream).text() : undefined;

describe('files', () => {
  it('are put, described and read back with the SDK, by pathname', async () => {
    const put = await sdk.put('notes/été 1.txt', 'bonjour', {
      access: 'private',
      contentType: 'text/plain; charset=utf-8',
    });
    expect(put.pathname).toBe('notes/été 1.txt');
    const head = await sdk.head(put.pathname);
    expect(head).toMatchObject({ size: 7, etag: put.etag, contentType: 'text/plain; charset=utf-8' });
    expect(head.cacheControl).toBe('private, max-age=2592000');
    expect(await sdk.head(put.url)).toMatchObject({ pathname: put.pathname });
    const read = await sdk.get(put.pathname, { access: 'private' });
    expect(await text(read)).toBe('bonjour');
    expect(read?.blob).toMatchObject({ etag: put.etag, size: 7 });
    const again = await sdk.get(put.pathname, { access: 'private', ifNoneMatch: put.etag });
    expect(again?.statusCode).toBe(304);
  });

  it('are given in ranges, and private ones to the token alone', async () => {
    const { url } = await sdk.put('range.bin', '0123456789', { access: 'private' });
    const authorization = `Bearer ${store.token}`;
    expect((await fetch(url)).status).toBe(403);
    const part = await fetch(url, { headers: { authorization, range: 'bytes=2-4' } });
    expect([part.status, part.headers.get('content-range'), await part.text()]).toEqual([
      206,
      'bytes 2-4/10',
      '234',
    ]);
    const tail = await fetch(url, { headers: { authorization, range: 'bytes=-3' } });
    expect(await tail.text()).toBe('789');
    expect((await fetch(url, { headers: { authorization, range: 'bytes=10-' } })).status).toBe(416);
    const wrong = await fetch(url.replace('/private/', '/public/'));
    expect(wrong.status).toBe(404);
  });

  it('are given as an attachment on demand, and kept as long as was said', async () => {
    const { url, downloadUrl } = await sdk.put('logo.svg', '<svg/>', {
      access: 'private',
      cacheControlMaxAge: 120,
    });
    const headers = { authorization: `Bearer ${store.token}` };
    const answer = await fetch(url, { headers });
    expect(answer.headers.get('content-type')).toBe('image/svg+xml');
    expect(answer.headers.get('cache-control')).toBe('private, max-age=120');
    expect((await fetch(downloadUrl, { headers })).headers.get('content-disposition')).toContain(
      'attachment',
    );
  });

  it('are refused publicly by whatever writes, as a private store of the service refuses them, and nothing is written', async () => {
    const access = 'public';
    await sdk.put('private.txt', 'x', { access: 'private' });
    const token = await client.generateClientTokenFromReadWriteToken({
      pathname: 'open.txt',
      token: store.token,
    });
    const writes: Record<string, () => Promise<unknown>> = {
      put: () => sdk.put('open.txt', 'x', { access }),
      parts: () => sdk.put('open.txt', 'x', { access, multipart: true }),
      copy: () => sdk.copy('private.txt', 'open.txt', { access }),
      rename: () => sdk.rename('private.txt', 'open.txt', { access }),
      folder: () => sdk.createFolder('open', { access }),
      browser: () => client.put('open.txt', 'x', { access, token }),
    };
    for (const [by, write] of Object.entries(writes))
      await expect(write(), by).rejects.toThrow(/Cannot use public access on a private store/);
    // The API, as the client: what does not say is public.
    const headers = { authorization: `Bearer ${store.token}` };
    const bare = await fetch(`${store.apiUrl}/?pathname=open.txt`, { method: 'PUT', body: 'x', headers });
    expect(bare.status).toBe(400);
    expect((await sdk.list({ prefix: 'open' })).blobs).toEqual([]);
    expect(await text(await sdk.get('private.txt', { access: 'private' }))).toBe('x');
  });

  it('are never replaced unless asked, nor under another ETag', async () => {
    const first = await sdk.put('once.txt', 'a', { access: 'private' });
    await expect(sdk.put('once.txt', 'b', { access: 'private' })).rejects.toThrow(/already exists/);
    await expect(sdk.put('once.txt', 'b', { access: 'private', ifMatch: '"other"' })).rejects.toBeInstanceOf(
      sdk.BlobPreconditionFailedError,
    );
    const second = await sdk.put('once.txt', 'b', { access: 'private', ifMatch: first.etag });
    expect(second.etag).not.toBe(first.etag);
    const suffixed = await sdk.put('once.txt', 'c', { access: 'private', addRandomSuffix: true });
    expect(suffixed.pathname).toMatch(/^once-[0-9a-f]{30}\.txt$/);
    expect(await text(await sdk.get('once.txt', { access: 'private' }))).toBe('b');
  });

  it('of 50 concurrent writers, exactly one wins', async () => {
    const writes = Array.from({ length: 50 }, (_, n) =>
      sdk.put('race.txt', `writer ${n}`, { access: 'private' }),
    );
    const results = await Promise.allSettled(writes);
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
  });

  it('are copied, renamed and deleted', async () => {
    const source = await sdk.put('from.txt', 'x', { access: 'private' });
    const copied = await sdk.copy(source.url, 'to/copy.txt', { access: 'private' });
    expect(copied.etag).toBe(source.etag);
    await sdk.rename('to/copy.txt', 'to/moved.txt', { access: 'private' });
    await expect(sdk.head('to/copy.txt')).rejects.toBeInstanceOf(sdk.BlobNotFoundError);
    await expect(sdk.del('to/moved.txt', { ifMatch: '"no"' })).rejects.toBeInstanceOf(
      sdk.BlobPreconditionFailedError,
    );
    await sdk.del(['to/moved.txt', source.url, 'never-was.txt']);
    await expect(sdk.head('from.txt')).rejects.toBeInstanceOf(sdk.BlobNotFoundError);
    expect(await sdk.get('from.txt', { access: 'private' })).toBeNull();
    await expect(sdk.copy('absent', 'b', { access: 'private' })).rejects.toBeInstanceOf(
      sdk.BlobNotFoundError,
    );
  });

  it('never leave the data folder, whatever their pathname says', async () => {
    for (const pathname of ['../../outside', 'a/../../outside', '/etc/passwd', 'a\u0000b', '.', 'a/./b'])
      await expect(sdk.put(pathname, 'x', { access: 'private' }), pathname).rejects.toThrow(
        /Invalid pathname/,
      );
  });

  it('are refused to a wrong token with the SDK’s own error', async () => {
    const token = `${store.token.slice(0, -1)}0x`;
    await expect(sdk.put('a', 'b', { access: 'private', token })).rejects.toBeInstanceOf(sdk.BlobAccessError);
    await expect(sdk.list({ token })).rejects.toBeInstanceOf(sdk.BlobAccessError);
  });
});

describe('listing', () => {
  it('walks a prefix by cursor in byte order, and tells folders', async () => {
    const names = ['l/a.txt', 'l/b/1.txt', 'l/b/2.txt', 'l/b.txt', 'l/c/d/e.txt', 'l/z.txt'];
    await Promise.all(names.map((name) => sdk.put(name, name, { access: 'private' })));
    await sdk.createFolder('l/empty', { access: 'private' });
    const all: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await sdk.list({ prefix: 'l/', limit: 2, ...(cursor ? { cursor } : {}) });
      all.push(...page.blobs.map((blob) => blob.pathname));
      cursor = page.hasMore ? page.cursor : undefined;
    } while (cursor);
    expect(all).toEqual([...names, 'l/empty/'].sort());
    const folders: string[] = [];
    const files: string[] = [];
    do {
      const page = await sdk.list({ prefix: 'l/', mode: 'folded', limit: 2, ...(cursor ? { cursor } : {}) });
      folders.push(...page.folders);
      files.push(...page.blobs.map((blob) => blob.pathname));
      cursor = page.hasMore ? page.cursor : undefined;
    } while (cursor);
    expect(folders).toEqual(['l/b/', 'l/c/', 'l/empty/']);
    expect(files).toEqual(['l/a.txt', 'l/b.txt', 'l/z.txt']);
  });
});

it('a connection rests between two calls for longer than its callers keep it: none is sent on one that closes', async () => {
  const answer = await fetch(`${store.apiUrl}?url=absent`);
  expect([answer.status, answer.headers.get('keep-alive')]).toEqual([403, 'timeout=600']);
});

describe('multipart uploads', () => {
  it('join their parts in order, also through put', async () => {
    const body = randomBytes(17 * 1024 * 1024);
    const whole = await sdk.put('big.bin', body, { access: 'private', multipart: true });
    expect(await sdk.head(whole.pathname)).toMatchObject({ size: body.length });
    const read = await sdk.get('big.bin', { access: 'private' });
    const bytes = Buffer.from(await new Response(read?.stream as ReadableStream).arrayBuffer());
    expect(bytes.equals(body)).toBe(true);
    const uploader = await sdk.createMultipartUploader('parts.bin', { access: 'private' });
    const half = body.subarray(0, 6 * 1024 * 1024);
    const second = await uploader.uploadPart(2, 'end');
    const first = await uploader.uploadPart(1, half);
    const joined = await uploader.complete([second, first]);
    expect((await sdk.head(joined.pathname)).size).toBe(half.length + 3);
  });

  it('refuse a part that was not sent and an upload that does not exist', async () => {
    const uploader = await sdk.createMultipartUploader('never.bin', { access: 'private' });
    await expect(uploader.complete([{ partNumber: 1, etag: '"no"' }])).rejects.toThrow(/Part 1/);
    const options = { access: 'private' as const, uploadId: 'absent', key: 'x', partNumber: 1 };
    await expect(sdk.uploadPart('x', 'y', options)).rejects.toBeInstanceOf(sdk.BlobNotFoundError);
  });
});

describe('uploads by a client', () => {
  const tokenFor = (options: Partial<Parameters<typeof client.generateClientTokenFromReadWriteToken>[0]>) =>
    client.generateClientTokenFromReadWriteToken({ pathname: 'up.png', ...options });
  const put = (token: string, pathname = 'up.png', contentType = 'image/png', body = 'pixels') =>
    client.put(pathname, body, { access: 'private', token, contentType });

  it('do what their token grants and nothing else', async () => {
    const token = await tokenFor({
      allowedContentTypes: ['image/*'],
      maximumSizeInBytes: 10,
      addRandomSuffix: true,
    });
    expect((await put(token)).pathname).toMatch(/^up-[0-9a-f]+\.png$/);
    await expect(put(token, 'other.png')).rejects.toThrow(/Pathname mismatch/);
    await expect(put(token, 'up.png', 'text/html')).rejects.toThrow(/Content type mismatch/);
    await expect(put(token, 'up.png', 'image/png', 'x'.repeat(300_000))).rejects.toThrow(/File is too large/);
    await expect(put(await tokenFor({ validUntil: Date.now() - 1 }))).rejects.toThrow(/expired/);
    await expect(sdk.list({ token })).rejects.toThrow(/read-write/);
    await expect(put(`${token.slice(0, -8)}AAAAAAAA`)).rejects.toBeInstanceOf(sdk.BlobAccessError);
  });

  it('are told to the application by a signed callback, until it has heard', async () => {
    const heard: unknown[] = [];
    let refusals = 1;
    const application = await listening(async (body, headers) => {
      if (refusals-- > 0) return 500;
      const result = await client.handleUpload({
        body: JSON.parse(body),
        request: { headers, url: '/' } as never,
        onBeforeGenerateToken: async () => ({}),
        onUploadCompleted: async (payload) => void heard.push(payload),
      });
      return result.type === 'blob.upload-completed' ? 200 : 400;
    });
    const callbackUrl = `http://127.0.0.1:${application.port}/done`;
    const token = await tokenFor({
      allowOverwrite: true,
      onUploadCompleted: { callbackUrl, tokenPayload: '{"id":7}' },
    });
    const blob = await put(token);
    await until('the callback', () => heard.length === 1);
    expect(heard[0]).toMatchObject({
      tokenPayload: '{"id":7}',
      blob: { pathname: 'up.png', url: blob.url, etag: blob.etag },
    });
    application.server.close();
  });

  it('work through presigned addresses too', async () => {
    const signed = await sdk.issueSignedToken({
      pathname: 'signed.txt',
      operations: ['put', 'get', 'delete'],
    });
    const at = { pathname: 'signed.txt', access: 'private' as const };
    const { presignedUrl } = await sdk.presignUrl(signed, { ...at, operation: 'put', maximumSizeInBytes: 5 });
    const send = (body: string) =>
      fetch(presignedUrl, { method: 'PUT', body, headers: { 'x-vercel-blob-access': 'private' } });
    expect((await send('too long for it')).status).toBe(400);
    expect((await send('short')).status).toBe(200);
    const read = await sdk.presignUrl(signed, { ...at, operation: 'get' });
    expect(await (await fetch(read.presignedUrl)).text()).toBe('short');
    expect((await fetch(`${read.presignedUrl}x`)).status).toBe(403);
    const gone = await sdk.presignUrl(signed, { ...at, operation: 'delete' });
    expect((await fetch(gone.presignedUrl, { method: 'DELETE' })).status).toBe(200);
    await expect(sdk.head('signed.txt')).rejects.toBeInstanceOf(sdk.BlobNotFoundError);
  });

  it('sign reading alone when no operation was asked for', async () => {
    const { pathname } = await sdk.put('read-only.txt', 'read me', { access: 'private' });
    const signed = await sdk.issueSignedToken({ pathname });
    const at = { pathname, access: 'private' as const };
    const { presignedUrl } = await sdk.presignUrl(signed, { ...at, operation: 'get' });
    expect(await (await fetch(presignedUrl)).text()).toBe('read me');
    await expect(sdk.presignUrl(signed, { ...at, operation: 'put' })).rejects.toThrow();
    await expect(sdk.presignUrl(signed, { ...at, operation: 'delete' })).rejects.toThrow();
  });

  it('let a presigned address narrow the types that were granted, and never widen them', async () => {
    const pathname = 'granted.png';
    const { delegationToken, clientSigningToken } = await sdk.issueSignedToken({
      pathname,
      operations: ['put'],
      allowedContentTypes: ['image/*'],
    });
    // Signed by hand: the SDK itself refuses to sign the wider one.
    const send = (type: string) => {
      const name = 'vercel-blob-allowed-content-types';
      const canonical = ['operation=put', `pathname=${pathname}`, `${name}=${type}`].join('\n');
      const signature = createHmac('sha256', clientSigningToken).update(canonical).digest('base64url');
      const granted = { 'vercel-blob-delegation': delegationToken, 'vercel-blob-signature': signature };
      const query = new URLSearchParams({ pathname, [name]: type, ...granted });
      const headers = { 'x-vercel-blob-access': 'private', 'x-content-type': type };
      return fetch(`${store.apiUrl}/?${query}`, { method: 'PUT', body: 'x', headers });
    };
    expect((await send('text/html')).status).toBe(403);
    expect((await send('image/png')).status).toBe(200);
  });
});

describe('the data folder', () => {
  const folderOfOne = async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'blob-index-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return folder;
  };

  const settings = {
    access: 'private' as const,
    addRandomSuffix: false,
    allowOverwrite: false,
    cacheSeconds: 60,
  };

  it('says that a file is there once the disk has its bytes and their name, and the row itself outlives a power cut', async () => {
    const folder = await folderOfOne();
    const index = new BlobIndex(folder);
    // 2: every commit is on the disk before it is answered.
    expect(index.sql.prepare('pragma synchronous').get()).toEqual({ synchronous: 2 });
    const any = await open(path.join(folder, 'index.sqlite'), 'r');
    const handles = Object.getPrototypeOf(any) as FileHandle;
    await any.close();
    const [bytes, names, row] = [
      vi.spyOn(handles, 'datasync'),
      vi.spyOn(handles, 'sync'),
      vi.spyOn(index, 'write'),
    ];
    onTestFinished(() => {
      for (const spy of [bytes, names]) spy.mockRestore();
    });
    const received = await receive(index, Readable.from([Buffer.from('bytes')]));
    await commitBlob(index, 'kept.bin', received, settings, Date.now());
    const order = [bytes, names, row].map((spy) => spy.mock.invocationCallOrder.at(-1) ?? Number.NaN);
    expect(order).toEqual([...order].sort((a, b) => a - b));
    expect([bytes, names, row].map((spy) => spy.mock.calls.length)).toEqual([1, 2, 1]);
    index.close();
  });

  it('tells why a change failed where SQLite has rolled it back by itself, as on a full disk', async () => {
    const index = new BlobIndex(await folderOfOne());
    const full = () =>
      index.change(() => {
        index.sql.exec('rollback');
        throw new Error('database or disk is full');
      });
    expect(full).toThrow('database or disk is full');
    index.close();
  });

  it('takes no more of all parts of an upload together than the file may have', async () => {
    const index = new BlobIndex(await folderOfOne());
    const begin = () =>
      createUpload(index, 'big.bin', { ...settings, maximumSizeInBytes: 10 }, Date.now()).uploadId;
    const part = (id: string, number: number, bytes: number) =>
      receivePart(index, id, 'big.bin', number, Readable.from([Buffer.alloc(bytes)]));
    const first = begin();
    await part(first, 1, 6);
    await expect(part(first, 2, 5)).rejects.toThrow('greater than 10 bytes');
    await part(first, 2, 4);
    // Sent again, a part counts once.
    await part(first, 1, 5);
    const second = begin();
    const together = await Promise.allSettled([1, 2, 3].map((number) => part(second, number, 6)));
    expect(together.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(index.sql.prepare('select count(*) as n from loose_object').get()).toEqual({ n: 0 });
    index.close();
  });

  it('keeps nothing of a part whose upload was given up while it came', async () => {
    const index = new BlobIndex(await folderOfOne());
    const { uploadId } = createUpload(index, 'late.bin', settings, Date.now());
    const bytes = async function* () {
      yield Buffer.from('first');
      await index.deleteUpload(uploadId);
      yield Buffer.from('second');
    };
    await expect(receivePart(index, uploadId, 'late.bin', 1, Readable.from(bytes()))).rejects.toThrow(
      'does not exist',
    );
    expect(index.sql.prepare('select count(*) as n from loose_object').get()).toEqual({ n: 0 });
    index.close();
  });

  it('drops what was given up more than a day ago while it is open, not only when it opens', async () => {
    const data = await mkdtemp(path.join(os.tmpdir(), 'blob-tidy-'));
    const server = await openBlobServer({ dataDir: data, tidyMs: 20 });
    const index = new BlobIndex(path.join(data, 'files'));
    onTestFinished(async () => {
      index.close();
      await server.close();
      await rm(data, { recursive: true, force: true });
    });
    const begin = (ageMs: number) => createUpload(index, 'left.bin', settings, Date.now() - ageMs).uploadId;
    const recent = begin(0);
    const old = begin(86_400_000 + 60_000);
    const ids = () =>
      index.sql
        .prepare('select id from upload')
        .all()
        .map(({ id }) => id);
    await until('the old upload to be dropped', () => !ids().includes(old));
    expect(ids()).toEqual([recent]);
  });

  it('refuses what the disk takes a part of, and keeps nothing of it', async () => {
    const script = `
      import { Readable } from 'node:stream';
      import { BlobIndex } from '#lib/local/blob/index.ts';
      import { receive } from '#lib/local/blob/store.ts';
      const index = new BlobIndex(${JSON.stringify(await folderOfOne())});
      const said = await receive(index, Readable.from([Buffer.alloc(2_000_000)])).then(
        ({ size }) => 'kept as ' + size,
        ({ code }) => code,
      );
      console.log(said, index.sql.prepare('select count(*) as n from loose_object').get().n);
      index.close();`;
    // A process's limit on the size of a file stands for a full disk: the system takes what fits, and refuses the next byte.
    const said = execFileSync(
      '/bin/sh',
      ['-c', 'ulimit -f 1000 && exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', script],
      { cwd: repositoryRoot, encoding: 'utf8' },
    );
    expect(said).toBe('EFBIG 0\n');
  });

  it('keeps its files, token and addresses when it is opened again, by two servers at once', async () => {
    await sdk.put('kept.txt', 'still here', { access: 'private' });
    const other = await openBlobServer({ dataDir });
    expect(other.token).toBe(store.token);
    vi.stubEnv('VERCEL_BLOB_API_URL', other.apiUrl);
    expect((await sdk.head('kept.txt')).size).toBe(10);
    vi.stubEnv('VERCEL_BLOB_API_URL', store.apiUrl);
    await other.close();
  });

  it('forgets what a killed process left half-written', async () => {
    const index = new BlobIndex(path.join(dataDir, 'files'));
    const object = index.newObject();
    index.sql.prepare('update loose_object set owner = ? where object = ?').run('999999999:1', object);
    await index.clean(Date.now());
    expect(index.sql.prepare('select count(*) as n from loose_object').get()).toEqual({ n: 0 });
    index.close();
  });
});

async function listening(answer: (body: string, headers: Record<string, unknown>) => Promise<number>) {
  const server: Server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    response
      .writeHead(await answer(Buffer.concat(chunks).toString(), request.headers).catch(() => 400))
      .end();
  });
  await listenHere(server);
  const address = server.address();
  return { server, port: typeof address === 'object' && address ? address.port : 0 };
}
