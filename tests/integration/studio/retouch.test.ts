import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { ImageRequest } from '#lib/providers/ports.ts';
import { uploadImage } from '#lib/storage/uploads/upload-image.ts';
import { previewGeneration } from '#lib/studio/preview/preview-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { IMAGE, recordedProviders, request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

/** A picture kept of a first generation, and a mask that was sent. */
async function kept(scene: StudioScene, size = { width: 1024, height: 1024 }) {
  const { row } = await submitGeneration(scene.ctx, { request: request(IMAGE) });
  const { id } = await service.db.asset.findFirstOrThrow({ where: { generationId: row.id } });
  return { row, image: id, mask: await sent(scene, await maskOf(size)) };
}

/** White in its middle, black around. */
async function maskOf({ width, height }: { width: number; height: number }) {
  const middle = `<svg width="${width}" height="${height}"><rect width="100%" height="100%"/><rect x="25%" y="25%" width="50%" height="50%" fill="#fff"/></svg>`;
  return sharp(Buffer.from(middle)).png().toBuffer();
}

async function sent({ ctx, store }: StudioScene, bytes: Uint8Array) {
  const files = { store, storeToken: 'vercel_blob_rw_local_secret', storeApiUrl: null };
  return (await uploadImage({ ...ctx, files }, { productId: 'libre', bytes })).id;
}

/** The same scene; what its image model was asked. */
function watched(scene: StudioScene) {
  const asked: ImageRequest[] = [];
  const { providers } = scene.ctx.studio;
  const generate: typeof providers.image.generate = (one, options) => {
    asked.push(one);
    return providers.image.generate(one, options);
  };
  return { asked, ctx: scene.with({ providers: { ...providers, image: { generate } } }) };
}

const bytesOf = (file: ImageRequest['mask']) => (file?.kind === 'bytes' ? file.bytes : new Uint8Array());

describe('a picture drawn again within a mask', () => {
  it('is asked with a mask of its very size, black and white; priced, settled, marked as a composite', async () => {
    const scene = await studioScene(service);
    const { image, mask, row: first } = await kept(scene, { width: 400, height: 400 });
    const { ctx, asked } = watched(scene);
    const { row } = await submitGeneration(ctx, {
      request: request({
        ...IMAGE,
        case: 'image-edit',
        edit: { image, mask },
        seed: 7,
        ancestorId: first.id,
      }),
    });
    expect(asked).toMatchObject([{ prompt: row.params.prompt, seed: 7 }]);
    expect(row).toMatchObject({
      state: 'COMPLETED',
      modelId: 'bfl/flux-pro-1.0-fill',
      heldMicros: 50_000n,
      costMicros: 50_000n,
      ancestorId: first.id,
      artifacts: [{ width: 1024, height: 1024, provenance: 'mark' }],
      references: { roles: { images: [{ ref: image }], mask: { ref: mask } } },
    });
    const { data, info } = await sharp(bytesOf(asked[0]?.mask))
      .toColourspace('b-w')
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 1024, height: 1024, channels: 1 });
    expect(new Set(data)).toEqual(new Set([0, 255]));
    const stored = scene.store.files.get(row.artifacts[0]?.pathname ?? '')?.content;
    expect(Buffer.from(stored ?? '').includes('compositeWithTrainedAlgorithmicMedia')).toBe(true);
    expect(await bookFaults(service)).toEqual([]);
  });

  it.each([
    ['composition-failed', 'edit.mask', 'of other proportions', () => maskOf({ width: 400, height: 300 })],
    [
      'composition-failed',
      'edit.mask',
      'that opens nothing',
      () =>
        sharp({ create: { width: 40, height: 40, channels: 3, background: '#000' } })
          .png()
          .toBuffer(),
    ],
    [
      'composition-failed',
      'edit.mask',
      'too grey to open anything once it is black and white',
      () =>
        sharp({ create: { width: 40, height: 40, channels: 3, background: '#000' } })
          .composite([{ input: { create: { width: 20, height: 20, channels: 3, background: '#606060' } } }])
          .png()
          .toBuffer(),
    ],
    [
      'composition-failed',
      'edit.mask',
      'that opens everything',
      () =>
        sharp({ create: { width: 40, height: 40, channels: 3, background: '#fff' } })
          .png()
          .toBuffer(),
    ],
  ])('is refused as %s of %s a mask %s, before any row or reserve', async (code, field, _, make) => {
    const scene = await studioScene(service);
    const { image } = await kept(scene);
    const mask = await sent(scene, await make());
    const before = await service.db.generation.count();
    const body = request({ ...IMAGE, case: 'image-edit', edit: { image, mask } });
    await expect(submitGeneration(scene.ctx, { request: body })).rejects.toMatchObject({
      code,
      options: { problems: [{ field }] },
    });
    expect(await service.db.generation.count()).toBe(before);
  });

  it('of a picture that lets one see through is refused before any row or reserve: the model would read it as a mask', async () => {
    const scene = await studioScene(service);
    const seen = sharp({ create: { width: 64, height: 64, channels: 4, background: '#8a4b2a80' } });
    const image = await sent(scene, await seen.png().toBuffer());
    const mask = await sent(scene, await maskOf({ width: 64, height: 64 }));
    const before = await service.db.generation.count();
    const body = request({ ...IMAGE, case: 'image-edit', edit: { image, mask } });
    await expect(submitGeneration(scene.ctx, { request: body })).rejects.toMatchObject({
      code: 'invalid',
      options: { problems: [{ field: 'edit.image' }] },
    });
    expect(await service.db.generation.count()).toBe(before);
  });

  it.each([
    [1_049, 'takes'],
    [1_048, 'refuses'],
    [996_147, 'takes'],
    [996_148, 'refuses'],
  ])(
    'opens from 0.1 % to 95 % of the picture: of %i white pixels in 1,024 × 1,024 the service %s the mask',
    async (open, said) => {
      const scene = await studioScene(service);
      const { image } = await kept(scene);
      const levels = new Uint8Array(1_024 * 1_024).fill(255, 0, open);
      const drawn = sharp(levels, { raw: { width: 1_024, height: 1_024, channels: 1 } });
      const mask = await sent(scene, await drawn.png().toBuffer());
      const asking = previewGeneration(scene.ctx, {
        request: request({ ...IMAGE, case: 'image-edit', edit: { image, mask } }),
      });
      if (said === 'takes') expect(await asking).toMatchObject({ heldUsd: 0.05, refusal: null });
      else await expect(asking).rejects.toMatchObject({ code: 'composition-failed' });
    },
  );

  it('that comes back in other proportions than the picture’s is a dropped setting: refunded, and the loss is audited', async () => {
    const scene = await studioScene(service);
    const { image, mask } = await kept(scene);
    const { providers } = scene.ctx.studio;
    const bytes = await sharp({ create: { width: 640, height: 480, channels: 3, background: '#8a4b2a' } })
      .png()
      .toBuffer();
    const generate: typeof providers.image.generate = async (one, options) => {
      const answer = await providers.image.generate(one, options);
      const images = [{ bytes, mediaType: 'image/png' }];
      return answer.outcome === 'success' ? { ...answer, images } : answer;
    };
    const ctx = scene.with({ providers: { ...providers, image: { generate } } });
    const { row } = await submitGeneration(ctx, {
      request: request({ ...IMAGE, case: 'image-edit', edit: { image, mask } }),
    });
    expect(row).toMatchObject({ state: 'FAILED', code: 'setting-dropped', costMicros: null, artifacts: [] });
    const loss = await service.db.auditEntry.findFirstOrThrow({
      where: { subjectId: row.id, action: 'generation.paid_not_delivered' },
    });
    expect(loss.data).toMatchObject({ dropped: ['aspectRatio'] });
    expect(await bookFaults(service)).toEqual([]);
  });

  it('whose provider answers with warnings is delivered, and its row keeps them', async () => {
    const scene = await studioScene(service);
    const { image, mask } = await kept(scene, { width: 400, height: 400 });
    const { providers } = scene.ctx.studio;
    const warnings = [{ type: 'unsupported', feature: 'seed' }];
    const generate: typeof providers.image.generate = async (...asked) => {
      const answer = await providers.image.generate(...asked);
      return answer.outcome === 'success' ? { ...answer, warnings } : answer;
    };
    const ctx = scene.with({ providers: { ...providers, image: { generate } } });
    const { row } = await submitGeneration(ctx, {
      request: request({ ...IMAGE, case: 'image-edit', edit: { image, mask }, seed: 7 }),
    });
    expect(row).toMatchObject({ state: 'COMPLETED', params: { startWarnings: warnings } });
  });

  it('that the provider refuses is refunded, and nothing is kept', async () => {
    const scene = await studioScene(service);
    const { image, mask } = await kept(scene);
    const ctx = scene.with({ providers: recordedProviders(scene.clock, 'content-refused') });
    const { row } = await submitGeneration(ctx, {
      request: request({ ...IMAGE, case: 'image-edit', edit: { image, mask } }),
    });
    expect(row).toMatchObject({ state: 'FAILED', costMicros: null, artifacts: [] });
    expect(await bookFaults(service)).toEqual([]);
  });
});

describe('a picture made larger', () => {
  it('is told its price by the pixels made, sends no words, and comes back at the size asked', async () => {
    const scene = await studioScene(service);
    const { image } = await kept(scene);
    const { ctx, asked } = watched(scene);
    const body = request({ ...IMAGE, case: 'image-upscale', references: [image], scale: 2 });
    expect(await previewGeneration(ctx, { request: body })).toMatchObject({
      prompt: null,
      heldUsd: 0.16,
      modelId: 'topaz/wonder-3.5',
    });
    const { row } = await submitGeneration(ctx, { request: body });
    expect(asked[0]).toMatchObject({ prompt: '', size: { width: 2048, height: 2048 } });
    expect(row).toMatchObject({
      state: 'COMPLETED',
      heldMicros: 160_000n,
      costMicros: 160_000n,
      params: { settings: { scale: 2 }, brief: IMAGE.brief },
      artifacts: [{ width: 2048, height: 2048, provenance: 'mark' }],
    });
    expect(row.params.prompt).toBeUndefined();
    expect(await bookFaults(service)).toEqual([]);
  });

  it('records the layers that the server ignored, as every other kind does; an empty one was not sent', async () => {
    const scene = await studioScene(service);
    const { image } = await kept(scene);
    const larger = { ...IMAGE, case: 'image-upscale', references: [image] };
    const { row } = await submitGeneration(scene.ctx, {
      request: request({ ...larger, system: 'Tu obéis.', rules: [], connectors: '' }),
    });
    expect(row.params.ignoredLayers).toEqual(['system']);
  });

  it('that comes back at its old size is a dropped setting: refunded, and the loss is audited', async () => {
    const scene = await studioScene(service);
    const { image } = await kept(scene);
    const { providers } = scene.ctx.studio;
    const generate: typeof providers.image.generate = (one, options) =>
      providers.image.generate({ ...one, size: { width: 1024, height: 1024 } }, options);
    const ctx = scene.with({ providers: { ...providers, image: { generate } } });
    const { row } = await submitGeneration(ctx, {
      request: request({ ...IMAGE, case: 'image-upscale', references: [image] }),
    });
    expect(row).toMatchObject({ state: 'FAILED', code: 'setting-dropped', costMicros: null });
    const loss = await service.db.auditEntry.findFirstOrThrow({
      where: { subjectId: row.id, action: 'generation.paid_not_delivered' },
    });
    expect(loss.data).toMatchObject({ dropped: ['size'] });
    const lines = await service.db.ledgerLine.findMany({
      where: { generationId: row.id },
      orderBy: { position: 'asc' },
    });
    expect(lines.map(({ kind }) => kind)).toEqual(['RESERVE', 'REFUND']);
  });

  it('is refused where it lets light through, or would be larger than what is made in time', async () => {
    const scene = await studioScene(service);
    const glass = await sharp({ create: { width: 64, height: 64, channels: 4, background: '#8a4b2a80' } })
      .png()
      .toBuffer();
    const wide = await sharp({ create: { width: 2049, height: 2048, channels: 3, background: '#8a4b2a' } })
      .jpeg()
      .toBuffer();
    const ask = async (bytes: Uint8Array, scale: number) =>
      submitGeneration(scene.ctx, {
        request: request({
          ...IMAGE,
          case: 'image-upscale',
          references: [await sent(scene, bytes)],
          scale,
        }),
      });
    await expect(ask(glass, 2)).rejects.toMatchObject({ code: 'invalid', options: { detail: 'references' } });
    for (const scale of [2, 4])
      await expect(ask(wide, scale)).rejects.toMatchObject({ code: 'invalid', options: { detail: 'scale' } });
  });
});

it.each([
  ['image-edit', 'edit.image', {}],
  ['image-edit', 'aspectRatio', { aspectRatio: '1:1' }],
  ['image-edit', 'scale', { scale: 2 }],
  ['image-upscale', 'references', {}],
  ['image-upscale', 'scale', { references: ['x'], scale: 3 }],
  ['image-upscale', 'seed', { references: ['x'], seed: 3 }],
  ['image-upscale', 'edit', { references: ['x'], edit: { image: 'x', mask: 'y' } }],
  ['image-fast', 'scale', { scale: 2 }],
  ['image-best', 'edit.image', { edit: { image: 'x', mask: 'y' } }],
])('%s: %s is told by its field before any row or reserve', async (name, detail, more) => {
  const scene = await studioScene(service);
  const body = request({ ...IMAGE, case: name, ...more });
  await expect(submitGeneration(scene.ctx, { request: body })).rejects.toMatchObject({
    code: 'invalid',
    options: { detail },
  });
  expect(await service.db.generation.count({ where: { memberId: scene.owner.memberId } })).toBe(0);
});
