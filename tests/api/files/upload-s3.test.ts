import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POST } from '#app/api/references/upload/route.ts';
import type { FilesPorts } from '#lib/storage/context.ts';
import { pathnameOfStoreUrl, referenceFolder } from '#lib/storage/pathnames.ts';
import { configuredStore } from '#lib/storage/stores/configured-store.ts';
import { confirmReferenceUpload } from '#lib/storage/uploads/confirm-reference-upload.ts';
import { renderInputs } from '#lib/studio/renders/render-job.ts';
import type { TemplateDefinition } from '#lib/studio/templates/drawing/types.ts';
import { exampleFields, findTemplate } from '#lib/studio/templates/registry.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { call, useApi } from '#tests/setup/api.ts';
import { sessionCookie } from '#tests/setup/storage/blob.ts';
import { openS3Server, type S3TestServer } from '#tests/setup/storage/s3-server.ts';

const service = useApi();
const CLIP = readFileSync(new URL('../../fixtures/media/clip.mp4', import.meta.url));
const MOST = 50 * 1024 * 1024;
const shared = globalThis as { atelierFiles?: FilesPorts | undefined };

let server: S3TestServer;
let files: FilesPorts;
let mine: Awaited<ReturnType<typeof makeAccount>>;
let cookie = '';

beforeAll(async () => {
  server = await openS3Server();
  files = configuredStore({
    S3_ENDPOINT: server.endpoint,
    S3_BUCKET: server.bucket,
    S3_REGION: server.region,
    S3_ACCESS_KEY_ID: server.accessKeyId,
    S3_SECRET_ACCESS_KEY: server.secretAccessKey,
  });
  shared.atelierFiles = files;
  mine = await makeAccount(service);
  cookie = await sessionCookie(service, mine.member);
});
afterAll(async () => {
  shared.atelierFiles = undefined;
  await server.close();
});

const folder = () => referenceFolder(mine.account.id, 'libre');
const ctx = () => ({ ...testContext(service, mine.actor), files });

/** What the composer asks before it sends. */
const ask = (name: string, bytes: number, as = cookie) =>
  call(POST, {
    path: '/api/references/upload',
    headers: { cookie: as },
    body: {
      type: 'blob.generate-client-token',
      payload: {
        pathname: folder() + name,
        clientPayload: JSON.stringify({ productId: 'libre', bytes }),
      },
    },
  });

describe('a direct upload to a bucket', () => {
  it('is one signed address for its name, type and size; the confirmation measures and records it once', async () => {
    const { status, json } = await ask('rush.mp4', CLIP.byteLength);
    expect([status, json.type]).toEqual([200, 's3.signed-address']);
    const sent = await fetch(json.url, { method: 'PUT', headers: json.headers, body: CLIP });
    expect(sent.status).toBe(200);
    const url = json.url.split('?')[0];
    expect(pathnameOfStoreUrl(url, files)).toMatch(new RegExp(`^${folder()}rush-[0-9a-f]{30}\\.mp4$`));
    const [first, again] = [
      await confirmReferenceUpload(ctx(), { productId: 'libre', url }),
      await confirmReferenceUpload(ctx(), { productId: 'libre', url: json.url }),
    ];
    expect(first).toMatchObject({ kind: 'RUSH', via: 'confirm', bytes: CLIP.byteLength });
    expect(again.id).toBe(first.id);
    const held = await service.db.storageHold.count({ where: { accountId: mine.account.id } });
    expect(held).toBe(0);
  });

  it('takes 50 MB and not a byte more; what is no clip is deleted and refused', async () => {
    const refused = await ask('trop.mp4', MOST + 1);
    expect(refused.status).toBe(400);
    const zeros = new Uint8Array(1024 * 1024);
    expect((await ask('plein.mp4', MOST)).status).toBe(200);
    const { json } = await ask('zeros.mp4', zeros.byteLength);
    const larger = { method: 'PUT', headers: json.headers, body: new Uint8Array(zeros.byteLength + 1) };
    expect((await fetch(json.url, larger)).status).toBe(403);
    const sent = await fetch(json.url, { method: 'PUT', headers: json.headers, body: zeros });
    expect(sent.status).toBe(200);
    const url = json.url.split('?')[0];
    await expect(confirmReferenceUpload(ctx(), { productId: 'libre', url })).rejects.toMatchObject({
      code: 'reference-refused',
    });
    expect(await files.store?.head(pathnameOfStoreUrl(url, files) as string)).toBeNull();
  });

  it('is granted to nobody without a session, and confirmed for no address that is not the bucket’s', async () => {
    expect((await ask('rush.mp4', 10, '')).status).toBe(401);
    const path = `${folder()}rush.mp4`;
    for (const url of [
      `${server.endpoint}/another-bucket/${path}`,
      `${server.endpoint}.evil.example/${server.bucket}/${path}`,
      `${server.endpoint.replace('//', '//user@')}/${server.bucket}/${path}`,
      `${server.endpoint}/${server.bucket}/${folder()}..%2f..%2fx.mp4`,
      `https://store.private.blob.vercel-storage.com/${path}`,
    ])
      await expect(confirmReferenceUpload(ctx(), { productId: 'libre', url }), url).rejects.toMatchObject({
        code: 'invalid',
      });
  });
});

it('a render that publishes to a bucket is given one signed address for each of its files', async () => {
  const inputs = await renderInputs({
    generationId: 'gen_01K0000000000000000000000A',
    templateId: 'quote-card',
    sizeId: '1080x1080',
    fields: exampleFields(findTemplate('quote-card') as TemplateDefinition),
    brand: {},
    images: {},
    grantWrite: files.store?.grantWrite as NonNullable<NonNullable<FilesPorts['store']>['grantWrite']>,
    callbackUrl: 'https://atelier.example/api/webhooks/render',
    now: new Date(),
  });
  const uploads = Object.entries(JSON.parse(inputs.uploads ?? '{}') as Record<string, string>);
  expect(uploads.length).toBeGreaterThan(0);
  for (const [name, url] of uploads) {
    expect(pathnameOfStoreUrl(url, files)).toBe(`generations/gen_01K0000000000000000000000A/${name}`);
    expect((await fetch(url, { method: 'PUT', headers: { 'content-type': 'text/html' } })).status).toBe(403);
  }
});
