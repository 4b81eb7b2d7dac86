import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { GET } from '#app/api/files/[...pathname]/route.ts';
import { createProviders } from '#lib/providers/wiring/create-providers.ts';
import { readProvenance } from '#lib/storage/media/provenance/provenance.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { viewGeneration } from '#lib/studio/journal/view.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { IMAGE, request, studioScene } from '#tests/factories/studio.ts';
import { ORIGIN, useApi } from '#tests/setup/api.ts';
import { sessionCookie, useBlobStore } from '#tests/setup/storage/blob.ts';

const service = useApi();
const blob = useBlobStore();
const fixture = async (name: string) =>
  new Uint8Array(await readFile(new URL(`../../fixtures/media/${name}`, import.meta.url)));
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** An image whose provider answers with these bytes, through the live adapter; then the file as a member downloads it. */
async function downloaded(bytes: Uint8Array, aspectRatio: string) {
  const scene = await studioScene(service);
  const answer = { images: [Buffer.from(bytes).toString('base64')], warnings: [] };
  const providers = createProviders({
    live: new Set(['gateway']),
    clock: scene.clock,
    secrets: { gateway: 'key' },
    fetch: async () => Response.json(answer),
    sleep: async () => {},
  });
  const ctx = scene.with({ providers, store: blob.store });
  const { row } = await submitGeneration(ctx, { request: request({ ...IMAGE, aspectRatio }) });
  const { files } = viewGeneration(row, scene.clock.now(), {}, new Map());
  const [file] = files;
  if (!file) throw new Error(`no file: ${row.errorMessage}`);
  const member = await service.db.member.findUniqueOrThrow({ where: { id: scene.owner.memberId } });
  const cookie = await sessionCookie(service, member);
  const response = await GET(new Request(`${ORIGIN}${file.url}?download=1`, { headers: { cookie } }), {
    params: Promise.resolve({ pathname: [] }),
  });
  const asset = await service.db.asset.findFirstOrThrow({ where: { generationId: row.id } });
  return { ctx, row, file, asset, received: new Uint8Array(await response.arrayBuffer()) };
}

it.each(['signed.png', 'signed.jpg'])(
  'a real manifest (%s) is kept byte for byte from the provider’s answer to the download',
  async (name) => {
    const given = await fixture(name);
    const { ctx, row, file, asset, received } = await downloaded(given, '1:1');
    expect(digest(received)).toBe(digest(given));
    expect(file).toMatchObject({ provenance: 'manifest', bytes: given.length });
    expect(Number(asset.bytes)).toBe(given.length);
    const read = await getGeneration(ctx, { generationId: row.id });
    expect(read.files[0]?.provenance).toBe('manifest');
  },
);

it('an image without one is stored and served with its mark, and its size is that of the stored bytes', async () => {
  const given = new Uint8Array(
    await readFile(new URL('../../../lib/providers/gateway/recorded/scene-hills.jpg', import.meta.url)),
  );
  const { file, asset, received } = await downloaded(given, '1:1');
  expect(readProvenance(given, 'image/jpeg')).toBe('none');
  expect(readProvenance(received, 'image/jpeg')).toBe('mark');
  expect(file).toMatchObject({ provenance: 'mark', bytes: received.length });
  expect(Number(asset.bytes)).toBe(received.length);
  expect(asset.etag?.replaceAll('"', '')).toBeTruthy();
});
