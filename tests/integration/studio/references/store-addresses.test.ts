import { describe, expect, it } from 'vitest';
import { uploadImage } from '#lib/storage/uploads/upload-image.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { exampleFields, findTemplate } from '#lib/studio/templates/registry.ts';
import { IMAGE, request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';
import { PIXEL } from '#tests/simulation/outside.ts';

const service = useTestService();
const TOKEN = 'vercel_blob_rw_local_secret';
const CLOUD = 'https://local.private.blob.vercel-storage.com';
const EMBEDDED = 'http://127.0.0.1:4000';
const API = `${EMBEDDED}/api/blob`;

async function scene(storeApiUrl: string | null) {
  const s = await studioScene(service, { config: { storeApiUrl } });
  const files = { store: s.ctx.studio.store, storeToken: TOKEN, storeApiUrl };
  const upload = await uploadImage({ ...s.ctx, files }, { productId: 'libre', bytes: PIXEL });
  return { s, pathname: upload.pathname };
}

const submit = (s: StudioScene, asked: object) =>
  submitGeneration(s.ctx, { request: request({ ...IMAGE, ...asked }) });

describe('an address of our own store, as a reference', () => {
  it.each([
    ['the cloud’s', null, `${CLOUD}/`],
    ['the embedded store’s', API, `${EMBEDDED}/files/local/private/`],
    ['the cloud’s, on one machine', API, `${CLOUD}/`],
  ])(
    '%s is taken, and the row keeps the pathname: nothing that signs, nothing that expires',
    async (_, api, base) => {
      const { s, pathname } = await scene(api);
      const address = `${base}${pathname}?until=1&signature=5ecret`;
      const { row } = await submit(s, { references: [address] });
      expect(row.references.roles?.images).toEqual([expect.objectContaining({ ref: pathname, pathname })]);
      expect(row.params.request).toMatchObject({ references: [pathname] });
      const kept = JSON.stringify(
        await service.db.generation.findUniqueOrThrow({ where: { id: row.id } }),
        (_key, value) => (typeof value === 'bigint' ? String(value) : value),
      );
      expect(kept).not.toContain('5ecret');
      expect(kept).not.toContain(base);
      // What the row keeps can be asked again.
      const again = await submit(s, { references: row.params.request?.references as string[] });
      expect(again.row.references.roles?.images).toEqual(row.references.roles?.images);
    },
  );

  it('in a field of a template is taken in the same way', async () => {
    const { s, pathname } = await scene(API);
    const template = findTemplate('product-card');
    if (!template) throw new Error('product-card is gone');
    const { row } = await submitGeneration(s.ctx, {
      request: request({
        kind: 'render',
        template: template.id,
        size: template.sizes[0]?.id,
        fields: { ...exampleFields(template), photo: `${EMBEDDED}/files/local/private/${pathname}` },
      }),
    });
    expect(row.references.roles?.fields).toEqual({ [pathname]: expect.objectContaining({ pathname }) });
  });

  it.each([
    ['a port', (path: string) => `https://local.private.blob.vercel-storage.com:8443/${path}`],
    ['user information', (path: string) => `https://me@local.private.blob.vercel-storage.com/${path}`],
    ['no encryption', (path: string) => `http://local.private.blob.vercel-storage.com/${path}`],
    ['the public form', (path: string) => `https://local.public.blob.vercel-storage.com/${path}`],
    ['another store', (path: string) => `https://other.private.blob.vercel-storage.com/${path}`],
    ['a host below ours', (path: string) => `https://local.evil.private.blob.vercel-storage.com/${path}`],
    ['an encoded slash', (path: string) => `${CLOUD}/${path.replace('/', '%2F')}`],
    ['another port of the machine', (path: string) => `http://127.0.0.1:4001/files/local/private/${path}`],
    ['a path that is not ours', (path: string) => `generations/${path}`],
    ['a path that climbs', (path: string) => `references/../${path}`],
  ])('with %s is refused before any row', async (_, address) => {
    const { s, pathname } = await scene(API);
    const rows = await service.db.generation.count();
    await expect(submit(s, { references: [address(pathname)] })).rejects.toMatchObject({
      code: 'reference-refused',
    });
    expect(await service.db.generation.count()).toBe(rows);
  });
});
