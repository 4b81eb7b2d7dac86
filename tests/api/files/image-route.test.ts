import sharp from 'sharp';
import { expect, test } from 'vitest';
import { POST } from '#app/api/references/images/route.ts';
import { useBlobStore } from '#tests/setup/storage/blob.ts';
import { signedIn, useStudioApi } from '#tests/setup/studio-api.ts';

const service = useStudioApi();
const blob = useBlobStore();

test('POST /api/references/images: the bytes are kept as they came, under an identifier that serves as a reference; over 4 MB, or no image, nothing is kept', async () => {
  const member = await signedIn(service);
  const path = '/api/references/images?productId=libre';
  const headers = { 'content-type': 'image/png' };
  const png = await sharp({ create: { width: 8, height: 6, channels: 3, background: '#8a4b2a' } })
    .png()
    .toBuffer();
  const sent = await member.call(POST, { path, headers, body: new Uint8Array(png) });
  expect([sent.status, sent.json]).toMatchObject([201, { id: expect.stringMatching(/^upl_/) }]);
  const row = await service.db.upload.findUniqueOrThrow({ where: { id: sent.json.id } });
  expect(row).toMatchObject({ accountId: member.account.id, width: 8, height: 6, bytes: BigInt(png.length) });
  const stored = await blob.store.read(row.pathname, { maxBytes: 10_000 });
  expect(Buffer.from(stored?.bytes ?? []).equals(png)).toBe(true);

  const large = await member.call(POST, { path, headers, body: new Uint8Array(4 * 1024 * 1024 + 1) });
  expect(large.status).toBe(413);
  const page = await member.call(POST, { path, headers, body: new TextEncoder().encode('<html></html>') });
  expect([page.status, page.json.error.code]).toEqual([422, 'reference-refused']);
  // What its sender calls it must be what it is.
  const jpeg = { 'content-type': 'image/jpeg' };
  const misnamed = await member.call(POST, { path, headers: jpeg, body: new Uint8Array(png) });
  expect([misnamed.status, misnamed.json.error.code]).toEqual([422, 'reference-refused']);
  expect(await service.db.upload.count({ where: { accountId: member.account.id } })).toBe(1);
});
