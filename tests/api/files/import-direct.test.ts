import { put } from '@vercel/blob/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POST, PUT } from '#app/api/brain/spaces/[id]/imports/direct/route.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { FilesPorts } from '#lib/storage/context.ts';
import { configuredStore } from '#lib/storage/stores/configured-store.ts';
import { type ImportUploadGrant, takeImportUpload } from '#lib/storage/uploads/import-upload.ts';
import { makeAccount, makeMember, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { call, useApi } from '#tests/setup/api.ts';
import { sessionCookie, useBlobStore } from '#tests/setup/storage/blob.ts';
import { openS3Server, type S3TestServer } from '#tests/setup/storage/s3-server.ts';
import { until } from '#tests/setup/until.ts';

const service = useApi();
const blob = useBlobStore();
const shared = globalThis as { atelierFiles?: FilesPorts | undefined };
const MOST = 50 * 1024 * 1024;

let bucket: S3TestServer;
let stores: Record<'a bucket' | 'a Blob store', FilesPorts>;
let mine: Awaited<ReturnType<typeof makeAccount>>;
let spaceId = '';
let cookie = '';

beforeAll(async () => {
  bucket = await openS3Server();
  const s3 = configuredStore({
    S3_ENDPOINT: bucket.endpoint,
    S3_BUCKET: bucket.bucket,
    S3_REGION: bucket.region,
    S3_ACCESS_KEY_ID: bucket.accessKeyId,
    S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
  });
  stores = { 'a bucket': s3, 'a Blob store': blob.ports };
  mine = await makeAccount(service);
  spaceId = (await makeSpace(service, mine.account.id)).id;
  cookie = await sessionCookie(service, mine.member);
});
afterAll(async () => {
  shared.atelierFiles = undefined;
  await bucket.close();
});

/** A form over what hosts let through: one text, and a file that no import reads. */
async function largeForm(word: string): Promise<{ bytes: Blob; contentType: string }> {
  const form = new FormData();
  form.set('pillar', 'KNOWLEDGE');
  form.append('files', new Blob([`# ${word}\n\nDit une fois.\n`]), `${word}.md`);
  form.append('files', new Blob([new Uint8Array(5 * 1024 * 1024)]), 'lourd.bin');
  const encoded = new Response(form);
  const contentType = encoded.headers.get('content-type') ?? '';
  return { bytes: await encoded.blob(), contentType };
}

const path = () => `/api/brain/spaces/${spaceId}/imports/direct`;
const params = () => ({ id: spaceId });
const ask = (bytes: unknown, as = cookie) =>
  call(POST, { path: path(), params: params(), headers: { cookie: as }, body: { bytes } });
const start = (pathname: string, contentType: string, as = cookie) =>
  call(PUT, {
    method: 'PUT',
    path: path(),
    params: params(),
    headers: { cookie: as },
    body: { pathname, contentType },
  });

async function send(grant: ImportUploadGrant, bytes: Blob): Promise<void> {
  if (grant.type === 's3.signed-address') {
    const sent = await fetch(grant.url, { method: 'PUT', headers: grant.headers, body: bytes });
    expect(sent.status).toBe(200);
    return;
  }
  await put(grant.pathname, bytes, {
    access: 'private',
    token: grant.clientToken,
    contentType: 'application/octet-stream',
  });
}

const memories = (title: string) => service.db.memory.count({ where: { accountId: mine.account.id, title } });
/** Forms that may still be read. */
const holds = () =>
  service.db.storageHold.count({ where: { accountId: mine.account.id, expiresAt: { gt: new Date() } } });

describe.each(['a bucket', 'a Blob store'] as const)('an import sent straight to %s', (name) => {
  it('is read once however many ask, leaves neither its bytes nor a hold to take, and no one else can take it', async () => {
    shared.atelierFiles = stores[name];
    const word = name === 'a bucket' ? 'Seau' : 'Magasin';
    const form = await largeForm(word);
    const { status, json: grant } = await ask(form.bytes.size);
    expect([status, grant.pathname]).toEqual([200, expect.stringContaining(`imports/${mine.account.id}/`)]);
    expect(grant.type === 's3.signed-address').toBe(name === 'a bucket');
    await send(grant, form.bytes);

    const stranger = await makeAccount(service);
    const colleague = await makeMember(service, mine.account.id, {
      role: 'MEMBER',
      permissions: ['brain.write'],
    });
    for (const other of [stranger.member, colleague])
      expect(
        (await start(grant.pathname, form.contentType, await sessionCookie(service, other))).status,
      ).toBe(404);

    const answers = await Promise.all([1, 2, 3].map(() => start(grant.pathname, form.contentType)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([202, 404, 404]);
    await until('the Memory to be written', async () => (await memories(word)) === 1);
    expect(await stores[name].store?.head(grant.pathname)).toBeNull();
    expect(await holds()).toBe(0);
  });

  it('is deleted when it holds nothing to import, and refused in words', async () => {
    shared.atelierFiles = stores[name];
    const form = new Response(new FormData());
    const contentType = form.headers.get('content-type') ?? '';
    const bytes = await form.blob();
    const { json: grant } = await ask(bytes.size);
    await send(grant, bytes);
    const refused = await start(grant.pathname, contentType);
    expect([refused.status, refused.json.error.code]).toEqual([400, 'invalid']);
    expect(await stores[name].store?.head(grant.pathname)).toBeNull();
    expect(await holds()).toBe(0);
  });
});

it('a place is granted for 50 MB at most, for a Space of the account, to who may write; nothing is held otherwise', async () => {
  shared.atelierFiles = stores['a bucket'];
  const reader = await makeMember(service, mine.account.id, { role: 'MEMBER', permissions: [] });
  const refusals = [
    (await ask(MOST + 1)).status,
    (await ask(0)).status,
    (await ask(10, '')).status,
    (await ask(10, await sessionCookie(service, reader))).status,
    (
      await call(POST, {
        path: path(),
        params: { id: 'spc_nowhere' },
        headers: { cookie },
        body: { bytes: 10 },
      })
    ).status,
  ];
  expect(refusals).toEqual([400, 400, 401, 403, 404]);
  expect(await holds()).toBe(0);
});

it('what was not sent is not found, and a name that was not granted neither', async () => {
  shared.atelierFiles = stores['a bucket'];
  const { json: grant } = await ask(10);
  const type = 'multipart/form-data; boundary=x';
  expect((await start(grant.pathname, type)).status).toBe(404);
  expect((await start(`${grant.pathname}/../x`, type)).status).toBe(404);
  expect((await start(grant.pathname, 'text/html')).status).toBe(400);
});

it('what could not be read for want of room waits where it is, and is read at the next asking', async () => {
  const files = stores['a bucket'];
  shared.atelierFiles = files;
  const ctx = { ...testContext(service, mine.actor), files };
  const { json: grant } = await ask(3);
  await send(grant, new Blob(['abc']));
  const busy = () => Promise.reject(new ServiceError('rate_limited', { retryAfterSeconds: 30 }));
  await expect(takeImportUpload(ctx, grant, busy)).rejects.toMatchObject({ code: 'rate_limited' });
  const read = takeImportUpload(ctx, grant, (file) => new Response(file.stream).text());
  expect(await read).toBe('abc');
  expect(await holds()).toBe(0);
});
