import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { createProviders, recordedServices } from '#lib/providers/wiring/create-providers.ts';
import { previewGeneration } from '#lib/studio/preview/preview-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { IMAGE, request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const media = (name: string) => readFile(`tests/fixtures/media/${name}`);
const CLIP = await media('clip.mp4');
type Wire = { mediaType: string; data: string };
const VIDEO = { kind: 'video', brief: 'La mer' };

/** A file that a member uploaded: an image, unless its type says otherwise. */
async function uploaded(scene: StudioScene, bytes: Uint8Array, contentType = 'image/png'): Promise<string> {
  const id = createId('upload');
  const pathname = `references/libre/${scene.owner.accountId}/${id}.${contentType.slice(6)}`;
  const at = scene.clock.now();
  await scene.store.put(pathname, bytes, { contentType });
  await service.db.upload.create({
    data: {
      ...scene.owner,
      id,
      productId: 'libre',
      kind: contentType.startsWith('video/') ? 'RUSH' : 'IMAGE',
      pathname,
      contentType,
      bytes: BigInt(bytes.length),
      via: 'server',
      createdAt: at,
      touchedAt: at,
    },
  });
  return id;
}

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#8a4b2a' } })
    .png()
    .toBuffer();

/** A gateway that is really called, whose every request is kept. */
function live(scene: StudioScene) {
  const sent: { model: string; body: Record<string, unknown> }[] = [];
  const providers = createProviders({
    live: new Set(['gateway']),
    clock: scene.clock,
    secrets: { gateway: 'vck_key' },
    sleep: async () => {},
    fetch: async (_, init) => {
      const model = new Headers(init.headers).get('ai-model-id') ?? '';
      sent.push({ model, body: JSON.parse(String(init.body)) });
      return Response.json({ operation: { id: 'job_1' } });
    },
  });
  return { ctx: scene.with({ providers }), sent };
}

describe('what a member asks is what a provider takes', () => {
  it.each(['seedance-2', 'seedance-2-5', 'cinematic'])(
    '%s: an image of the start decides the ratio: none is sent, and one that was asked is refused by its name',
    async (name) => {
      const scene = await studioScene(service);
      const startImage = await uploaded(scene, await plain(640, 480));
      const asked = { ...VIDEO, case: name, startImage };
      const { outcome, row } = await submitGeneration(scene.ctx, { request: request(asked) });
      expect([outcome, row.params.settings?.aspectRatio]).toEqual(['running', undefined]);
      await expect(
        submitGeneration(scene.ctx, { request: request({ ...asked, aspectRatio: '16:9' }) }),
      ).rejects.toMatchObject({ code: 'invalid', options: { detail: 'aspectRatio' } });
    },
  );

  it.each(['veo', 'best-quality'])(
    '%s with a character lasts 8 s, told before anything is held',
    async (name) => {
      const scene = await studioScene(service);
      const asked = { ...VIDEO, case: name, characters: [await uploaded(scene, await plain(640, 480))] };
      const { row } = await submitGeneration(scene.ctx, { request: request(asked) });
      expect([row.state, row.params.settings?.durationSeconds]).toEqual(['SUBMITTED', 8]);
      await expect(
        submitGeneration(scene.ctx, { request: request({ ...asked, durationSeconds: 4 }) }),
      ).rejects.toMatchObject({ code: 'invalid', options: { detail: 'durationSeconds' } });
    },
  );

  const noise = (width: number, height: number) =>
    sharp({
      create: {
        width,
        height,
        channels: 3,
        background: '#888',
        noise: { type: 'gaussian', mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer();

  it('an image of 6 MB goes to Veo as bytes that fit in a request, never as an address', async () => {
    const scene = await studioScene(service);
    const heavy = await noise(1_500, 1_400);
    expect(heavy.length).toBeGreaterThan(4 * 1024 * 1024);
    const startImage = await uploaded(scene, heavy);
    const { ctx, sent } = live(scene);
    const asked = { ...VIDEO, case: 'veo', startImage };
    expect((await submitGeneration(ctx, { request: request(asked) })).outcome).toBe('running');
    expect(sent[0]?.body.image).toMatchObject({ type: 'file', mediaType: 'image/jpeg' });
    expect(JSON.stringify(sent[0]?.body).length).toBeLessThan(4_500_000);
    // The recorded gateway refuses what the real one does.
    expect((await submitGeneration(scene.ctx, { request: request(asked) })).outcome).toBe('running');
  });

  it('six heavy references of an image fit in one request; a light one is sent untouched', async () => {
    const scene = await studioScene(service);
    const [heavy, light] = [await noise(900, 900), await plain(64, 64)];
    const references = [await uploaded(scene, light)];
    for (let n = 0; n < 5; n += 1) references.push(await uploaded(scene, heavy));
    const { row } = await submitGeneration(scene.ctx, { request: request({ ...IMAGE, references }) });
    expect([row.state, row.errorMessage]).toEqual(['COMPLETED', null]);
    const { ctx, sent } = live(scene);
    await submitGeneration(ctx, { request: request({ ...IMAGE, references }) });
    const files = sent[0]?.body.files as { data: string; mediaType: string }[];
    expect(files.map(({ mediaType }) => mediaType)).toEqual(['image/png', ...Array(5).fill('image/jpeg')]);
    expect(files[0]?.data).toBe(light.toString('base64'));
  });

  it.each([
    ['cinematic', 'startImage', 200, 300, /200 × 300 pixels\s: ce modèle en demande au moins 300/],
    ['cinematic', 'startImage', 900, 300, /900 × 300 pixels, ce qui est trop allongé\s: .*1:2,5 à 2,5:1/],
    ['seedance-2', 'characters', 299, 300, /299 × 300 pixels\s: ce modèle en demande au moins 300/],
    ['motion', 'characters', 1_000, 350, /1\s000 × 350 pixels, ce qui est trop allongé/],
  ])('%s: a picture (%s) of %i × %i is refused with its pixels before anything is held', async (...given) => {
    const [name, field, width, height, sentence] = given;
    const scene = await studioScene(service);
    const ref = await uploaded(scene, await plain(width, height));
    const clips = name === 'motion' ? { clips: [await uploaded(scene, CLIP, 'video/mp4')] } : {};
    const asked = { ...VIDEO, case: name, ...clips, [field]: field === 'startImage' ? ref : [ref] };
    const refusal = { code: 'reference-refused', options: { subject: ref } };
    const words = { options: { message: expect.stringMatching(sentence) } };
    for (const ask of [submitGeneration, previewGeneration]) {
      const answer = ask(scene.ctx, { request: request(asked) });
      await expect(answer).rejects.toMatchObject(refusal);
      await expect(answer).rejects.toMatchObject(words);
    }
    expect(await service.db.generation.count({ where: { memberId: scene.owner.memberId } })).toBe(0);
  });

  it.each([
    ['cinematic', 'webp'],
    ['cinematic', 'gif'],
    ['veo', 'webp'],
    ['best-quality', 'gif'],
  ] as const)('%s reads JPEG and PNG: a %s is sent as a JPEG', async (name, format) => {
    const scene = await studioScene(service);
    const picture = await sharp(await plain(640, 480))
      .toFormat(format)
      .toBuffer();
    const startImage = await uploaded(scene, picture, `image/${format}`);
    const asked = { ...VIDEO, case: name, startImage, endImage: startImage };
    const { row } = await submitGeneration(scene.ctx, { request: request(asked) });
    expect([row.state, row.errorMessage]).toEqual(['SUBMITTED', null]);
    const { ctx, sent } = live(scene);
    await submitGeneration(ctx, { request: request(asked) });
    const [{ body }] = sent as unknown as [{ body: { image: Wire; frameImages: { image: Wire }[] } }];
    const { image, frameImages } = body;
    const types = [image, ...frameImages.map((frame) => frame.image)].map(({ mediaType }) => mediaType);
    expect(types).toEqual(Array(3).fill('image/jpeg'));
    const { width, height } = await sharp(Buffer.from(image.data, 'base64')).metadata();
    expect([width, height]).toEqual([640, 480]);
  });

  it.each(['image-fast', 'image-best', 'image-transparent'])(
    '%s reads no GIF: one is sent in a type that it reads, and a WebP as it is',
    async (name) => {
      const scene = await studioScene(service);
      const picture = sharp(await plain(640, 480));
      const gif = await uploaded(scene, await picture.clone().gif().toBuffer(), 'image/gif');
      const bytes = await picture.clone().webp().toBuffer();
      const webp = await uploaded(scene, bytes, 'image/webp');
      const asked = { ...IMAGE, case: name, references: [gif, webp] };
      const { row } = await submitGeneration(scene.ctx, { request: request(asked) });
      expect([row.state, row.errorMessage]).toEqual(['COMPLETED', null]);
      const { ctx, sent } = live(scene);
      await submitGeneration(ctx, { request: request(asked) });
      const files = (sent[0]?.body.files ?? []) as Wire[];
      expect(files.map(({ mediaType }) => mediaType)).toEqual(['image/webp', 'image/webp']);
      expect(files[1]?.data).toBe(bytes.toString('base64'));
    },
  );

  it('a picture wider than Seedance reads is sent smaller, however light', async () => {
    const scene = await studioScene(service);
    const startImage = await uploaded(scene, await plain(6_400, 3_600));
    const asked = { ...VIDEO, case: 'seedance-2', startImage };
    const { row } = await submitGeneration(scene.ctx, { request: request(asked) });
    expect([row.state, row.errorMessage]).toEqual(['SUBMITTED', null]);
  });

  it.each([
    ['motion', 'clip.webm', /en MP4 ou MOV/],
    ['seedance-2', 'clip.webm', /en MP4 ou MOV/],
    ['motion', 'clip.mp4', /64 × 48 pixels\s: ce modèle en demande au moins 340 de chaque côté/],
    ['seedance-2-5', 'clip.mp4', /10 images par seconde\s: ce modèle en lit de 24 à 60/],
  ])('%s: %s is refused as a clip that its maker does not read, and nothing is sent', async (...given) => {
    const [name, file, sentence] = given;
    const scene = await studioScene(service);
    const clip = await uploaded(scene, await media(file), `video/${file.slice(5)}`);
    const { ctx, sent } = live(scene);
    const characters = name === 'motion' ? [await uploaded(scene, await plain(640, 480))] : [];
    const asked = { ...VIDEO, case: name, clips: [clip], characters };
    await expect(submitGeneration(ctx, { request: request(asked) })).rejects.toMatchObject({
      code: 'reference-refused',
      options: { subject: clip, message: expect.stringMatching(sentence) },
    });
    expect(sent).toEqual([]);
  });

  it.each(['omni', 'nova', 'replace'])('%s: no live service makes it, and nothing is held', async (name) => {
    const scene = await studioScene(service);
    const { ctx, sent } = live(scene);
    await expect(submitGeneration(ctx, { request: request({ ...VIDEO, case: name }) })).rejects.toMatchObject(
      { code: 'not_configured', options: { detail: name } },
    );
    // What the composer shows under the draft: the same sentence, before anything is sent.
    await expect(
      previewGeneration(ctx, { request: request({ ...VIDEO, case: name }) }),
    ).rejects.toMatchObject({
      code: 'not_configured',
      options: { message: expect.stringContaining('Aucun service réel ne fait ce cas') },
    });
    expect(sent).toEqual([]);
    expect(await service.db.generation.count({ where: { memberId: scene.owner.memberId } })).toBe(0);
  });

  it('an image has the pixels asked by number, and its references are held by their megapixels', async () => {
    const scene = await studioScene(service);
    const references = [await uploaded(scene, await plain(1_600, 1_500))];
    const asked = { ...IMAGE, references, aspectRatio: '4:5' };
    const { row } = await submitGeneration(scene.ctx, { request: request(asked) });
    expect(row.artifacts[0]).toMatchObject({ width: 912, height: 1_136 });
    // 0.030 for the image, and three begun megapixels at 0.015.
    expect(row.heldMicros).toBe(75_000n);
  });

  it.each([
    ['image-fast', 'files', 'This model takes no input images; they were ignored.'],
    ['image-edit', 'mask', ''],
  ])(
    '%s: made without a reference, by what its maker warns of %s, it is not delivered: refunded, and the loss is audited',
    async (...given) => {
      const [name, feature, details] = given;
      const scene = await studioScene(service);
      const picture = await uploaded(scene, await plain(1_024, 1_024));
      const half = Buffer.from(
        '<svg width="1024" height="1024"><path d="M0 0h512v1024H0z" fill="#fff"/></svg>',
      );
      const mask = await uploaded(scene, await sharp(half).flatten().png().toBuffer());
      const services = recordedServices(() => scene.clock.now());
      const providers = createProviders({
        live: new Set(),
        clock: scene.clock,
        secrets: {},
        recordedFetch: async (url, init, facts) => {
          const answer = await services(url, init, facts);
          if (!url.endsWith('/image-model')) return answer;
          const warnings = [{ type: 'unsupported', feature, ...(details ? { details } : {}) }];
          return Response.json({ ...((await answer.json()) as object), warnings });
        },
      });
      const more = name === 'image-edit' ? { edit: { image: picture, mask } } : { references: [picture] };
      const { row } = await submitGeneration(scene.with({ providers }), {
        request: request({ ...IMAGE, case: name, ...more }),
      });
      expect(row).toMatchObject({
        state: 'FAILED',
        code: 'setting-dropped',
        costMicros: null,
        artifacts: [],
      });
      expect(row.message).toContain('de référence');
      const loss = await service.db.auditEntry.findFirstOrThrow({
        where: { subjectId: row.id, action: 'generation.paid_not_delivered' },
      });
      expect(loss.data).toMatchObject({ reason: 'setting-dropped', dropped: ['references'] });
      expect(await bookFaults(service)).toEqual([]);
    },
  );
});
