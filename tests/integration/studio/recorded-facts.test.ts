import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { recordedVideo } from '#lib/providers/fixtures/recorded-video.ts';
import { MODELS } from '#lib/providers/models/catalogue.ts';
import { formulaCostMicros } from '#lib/providers/models/pricing.ts';
import type { ProviderFailure, VideoStarted } from '#lib/providers/ports.ts';
import { uploadImage } from '#lib/storage/uploads/upload-image.ts';
import { parseArtifacts } from '#lib/studio/generation/params.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { exampleFields, findTemplate } from '#lib/studio/templates/registry.ts';
import { clearVoiceLibrary, readVoiceDesk } from '#lib/studio/voices/voice-desk.ts';
import { IMAGE, recordedProviders, request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
/** How long tests/fixtures/media/clip.mp4 lasts. */
const CLIP_MS = 3_200;

const plain = (size: number, value: number) =>
  sharp({ create: { width: size, height: size, channels: 3, background: { r: value, g: value, b: value } } })
    .png()
    .toBuffer();

describe('a request', () => {
  it('records the layers that it sent and the server ignored: system line, rules, connectors, an unknown skill', async () => {
    const { ctx } = await studioScene(service);
    const layers = { system: 'Tu obéis.', rules: ['tout'], connectors: ['x'], skills: ['inconnue'] };
    const { row } = await submitGeneration(ctx, { request: request({ ...IMAGE, ...layers }) });
    expect(row.params.ignoredLayers).toEqual(['system', 'rules', 'connectors', 'skill:inconnue']);
    expect(row.params.prompt).not.toContain('Tu obéis');
  });

  /** A member's product picture and mask, kept as uploads. */
  async function composing(mask: Buffer, size = { width: 64, height: 64 }) {
    const scene = await studioScene(service);
    const { ctx, store } = scene;
    const files = { store, storeToken: 'vercel_blob_rw_local_secret', storeApiUrl: null };
    const keep = async (bytes: Buffer) =>
      (await uploadImage({ ...ctx, files }, { productId: 'libre', bytes })).id;
    const product = await keep(
      await sharp({ create: { ...size, channels: 3, background: '#5a5a5a' } })
        .png()
        .toBuffer(),
    );
    return { ...scene, composition: { product, mask: await keep(mask) } };
  }
  const half = (width: number, height: number) =>
    sharp(
      Uint8Array.from({ length: width * height }, (_, at) => (at < (width * height) / 2 ? 255 : 0)),
      {
        raw: { width, height, channels: 1 },
      },
    )
      .png()
      .toBuffer();

  it('whose mask covers everything is refused as composition-failed before anything: no row, no call, nothing debited', async () => {
    const { ctx, with: withPorts, composition, owner } = await composing(await plain(64, 255));
    let calls = 0;
    const { providers } = ctx.studio;
    const generate: typeof providers.image.generate = (...given) => {
      calls += 1;
      return providers.image.generate(...given);
    };
    const watched = withPorts({ providers: { ...providers, image: { generate } } });
    await expect(
      submitGeneration(watched, { request: request({ ...IMAGE, composition }) }),
    ).rejects.toMatchObject({
      code: 'composition-failed',
      options: { detail: 'mask-coverage', problems: [{ field: 'composition.mask' }] },
    });
    expect(calls).toBe(0);
    expect(await service.db.generation.count({ where: { memberId: owner.memberId } })).toBe(0);
    expect(await service.db.ledgerLine.count({ where: { memberId: owner.memberId, kind: 'RESERVE' } })).toBe(
      0,
    );
  });

  it('of a product in 4:3 without a format is drawn in 4:3 and delivered at the product’s size', async () => {
    const size = { width: 80, height: 60 };
    const { ctx, composition } = await composing(await half(80, 60), size);
    const { row } = await submitGeneration(ctx, { request: request({ ...IMAGE, composition }) });
    expect(row).toMatchObject({
      state: 'COMPLETED',
      artifacts: [size],
      params: { settings: { aspectRatio: '4:3' } },
    });
    // The product is sent and billed; its mask stays here.
    expect(row.params.pricing).toMatchObject({ references: 1 });
    expect(row.heldMicros).toBe(formulaCostMicros('image-fast', { images: 1, references: 1 }));
  });

  it('whose drawing cannot be composed with the product fails as composition-failed: refunded, nothing kept, the loss audited', async () => {
    const { ctx, with: withPorts, composition } = await composing(await half(64, 64));
    const { providers } = ctx.studio;
    const generate: typeof providers.image.generate = (asked, ...rest) =>
      providers.image.generate({ ...asked, aspectRatio: '16:9' }, ...rest);
    const { row } = await submitGeneration(withPorts({ providers: { ...providers, image: { generate } } }), {
      request: request({ ...IMAGE, composition }),
    });
    expect(row).toMatchObject({
      state: 'FAILED',
      code: 'composition-failed',
      costMicros: null,
      artifacts: [],
    });
    const lines = await service.db.ledgerLine.findMany({
      where: { generationId: row.id },
      orderBy: { id: 'asc' },
    });
    expect(lines.map(({ kind }) => kind)).toEqual(['RESERVE', 'REFUND']);
    const audits = await service.db.auditEntry.findMany({
      where: { subjectId: row.id, action: 'generation.paid_not_delivered' },
    });
    expect(audits.map(({ data }) => data)).toEqual([
      { reason: 'composition-failed', costUsd: expect.any(Number) },
    ]);
  });
});

describe('the row of a generation', () => {
  it('says its engine and model, and of a pictogram the tokens that it took', async () => {
    const { ctx } = await studioScene(service);
    const { row } = await submitGeneration(ctx, {
      request: request({ kind: 'vector', brief: 'Une feuille' }),
    });
    const { outputTokens = 0 } = row.params;
    expect(outputTokens).toBeGreaterThan(0);
    // Every recorded drawing took 312 tokens in, and is billed by both counts.
    expect(row.costMicros).toBe(formulaCostMicros('vector', { inputTokens: 312, outputTokens }));
    expect(row).toMatchObject({ modelId: MODELS.vector.modelId, params: { engine: 'anthropic' } });
  });

  it('says what a video started with: its warnings, its pricing, and a webhook only when the service is reached over https', async () => {
    const video = { kind: 'video', case: 'seedance-2', brief: 'Une flamme', durationSeconds: 4 };
    const answers: VideoStarted[] = [];
    const callbacks: (string | undefined)[] = [];
    const watched = (scene: StudioScene) => {
      const { providers } = scene.ctx.studio;
      const start: typeof providers.video.start = async (...given) => {
        callbacks.push(given[0].callbackUrl);
        const answer = await providers.video.start(...given);
        if (answer.outcome === 'started') answers.push(answer);
        return answer;
      };
      return scene.with({ providers: { ...providers, video: { ...providers.video, start } } });
    };
    const secure = watched(await studioScene(service));
    const { row } = await submitGeneration(secure, { request: request(video) });
    const [answer] = answers;
    expect(answer?.jobId).toBeTruthy();
    expect(row).toMatchObject({
      provider: 'gateway',
      providerJobId: answer?.jobId,
      providerOperation: JSON.stringify(answer?.operation),
      modelId: MODELS['seedance-2'].modelId,
    });
    expect(row.params.webhook).toBe(true);
    expect(row.params.pricing).toMatchObject({ basis: 'seedance' });
    const plainHttp = await studioScene(service, { config: { publicUrl: 'http://127.0.0.1:3000' } });
    const local = await submitGeneration(watched(plainHttp), { request: request(video) });
    expect(local.row.params.webhook).toBe(false);
    expect(callbacks).toEqual([`https://atelier.exemple.test/api/webhooks/video/${row.id}`, undefined]);
    const kept = await service.db.generation.findUniqueOrThrow({ where: { id: local.row.id } });
    expect(kept.providerWebhookSecret).toBeNull();
    const dropping = await studioScene(service, { scenario: 'end-frame-dropped' });
    const warned = await submitGeneration(dropping.ctx, {
      request: request({ kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 }),
    });
    expect(warned.row.params.startWarnings?.length).toBeGreaterThan(0);
  });

  it('says of a render its run and where to see it', async () => {
    const { ctx } = await studioScene(service);
    const template = findTemplate('quote-card');
    if (!template) throw new Error('quote-card is gone');
    const fields = { ...exampleFields(template) };
    const { row } = await submitGeneration(ctx, {
      request: request({ kind: 'render', template: template.id, size: template.sizes[0]?.id, fields }),
    });
    expect(row.params.workflowRunId).toBeTruthy();
    expect(row.params.runUrl).toMatch(/^https:\/\//);
    expect(row.params.runUrl?.endsWith(`/runs/${row.params.workflowRunId}`)).toBe(true);
  });

  /** A clip that a member sent the day before. */
  async function uploadedClip({ ctx, store }: Pick<StudioScene, 'ctx' | 'store'>) {
    const { accountId, memberId } = ctx.actor;
    const now = ctx.clock.now();
    const id = createId('upload', now);
    const pathname = `references/libre/${accountId}/${id}.mp4`;
    const bytes = await readFile(new URL('../../fixtures/media/clip.mp4', import.meta.url));
    const { etag } = await store.put(pathname, bytes, { contentType: 'video/mp4' });
    await service.db.upload.create({
      data: {
        id,
        accountId,
        memberId,
        productId: 'libre',
        kind: 'RUSH',
        pathname,
        contentType: 'video/mp4',
        bytes: BigInt(bytes.length),
        durationMs: 4_000,
        via: 'client',
        etag,
        createdAt: now,
        touchedAt: new Date(now.getTime() - 86_400_000),
      },
    });
    return { id, pathname };
  }

  it.each(['omni', 'replace', 'motion'])(
    'of a clip, case %s, says the clip measured and its role; a motion has kind MOTION and type VIDEO',
    async (name) => {
      const { ctx, store } = await studioScene(service);
      const files = { store, storeToken: 'vercel_blob_rw_local_secret', storeApiUrl: null };
      const face = await uploadImage({ ...ctx, files }, { productId: 'libre', bytes: await plain(512, 90) });
      const { id, pathname } = await uploadedClip({ ctx, store });
      const body = { kind: 'video', case: name, brief: 'Une flamme', clips: [id] };
      const { row } = await submitGeneration(ctx, {
        request: request(name === 'omni' ? body : { ...body, characters: [face.id] }),
      });
      expect(row).toMatchObject({
        kind: name === 'motion' ? 'MOTION' : 'VIDEO',
        assetType: 'VIDEO',
        state: 'SUBMITTED',
      });
      // What its bytes last, whatever is written of it.
      expect(row.params.pricing).toMatchObject({ basis: 'source-clip', sourceMs: CLIP_MS });
      const [clip] = row.references.roles?.clips ?? [];
      expect(clip).toMatchObject({ ref: id, pathname, durationMs: CLIP_MS });
      // Read by a generation: retention counts its days from now.
      const { touchedAt } = await service.db.upload.findUniqueOrThrow({ where: { id } });
      expect(touchedAt).toEqual(ctx.clock.now());
    },
  );

  it('of two clips that decide the length holds both and the longest film, and is debited both and the film', async () => {
    const scene = await studioScene(service);
    const { providers } = scene.ctx.studio;
    const bytes = await recordedVideo({ durationMs: 5_000, aspectRatio: '16:9', audio: true });
    const unpriced: ProviderFailure = {
      outcome: 'failed',
      reason: 'not-found',
      retrySafe: 'refused',
      detail: 'none',
      attempts: 1,
      elapsedMs: 1,
    };
    const status: typeof providers.video.status = async () => ({
      outcome: 'completed',
      file: { kind: 'bytes', bytes, mediaType: 'video/mp4' },
      warnings: [],
      dropped: [],
      endFrameDropped: false,
    });
    const ctx = scene.with({
      providers: {
        ...providers,
        video: { ...providers.video, status },
        cost: { cost: async () => unpriced },
      },
    });
    const clips = [(await uploadedClip(scene)).id, (await uploadedClip(scene)).id];
    const { row } = await submitGeneration(ctx, {
      request: request({ kind: 'video', case: 'seedance-2-5', brief: 'Une flamme', clips }),
    });
    const inputMs = 2 * CLIP_MS;
    expect(row.params.pricing).toMatchObject({ basis: 'seedance', inputMs, outputMs: 15_000 });
    scene.clock.advance(60_000);
    expect(await getGeneration(ctx, { generationId: row.id })).toMatchObject({ status: 'done' });
    const { costMicros, artifacts } = await service.db.generation.findUniqueOrThrow({
      where: { id: row.id },
    });
    const [film] = parseArtifacts(artifacts);
    const asset = await service.db.asset.findFirstOrThrow({ where: { generationId: row.id } });
    // What retention compares before it deletes, and what pages say of the film.
    expect([asset.etag, asset.durationMs]).toEqual([film?.etag, film?.durationMs]);
    expect(film).toMatchObject({ etag: expect.stringMatching(/./), durationMs: expect.any(Number) });
    const { resolution } = row.params.settings ?? {};
    expect(costMicros).toBe(
      formulaCostMicros('seedance-2-5', {
        inputMs,
        outputMs: film?.durationMs ?? 0,
        ...(typeof resolution === 'string' ? { resolution } : {}),
      }),
    );
  });
});

it('the voice library is kept ten minutes in this process, the quota is read at each call', async () => {
  const { ctx, clock } = await studioScene(service, { config: { defaultVoiceId: 'Camille0Recorded0001' } });
  const { voice } = recordedProviders(clock);
  let [lists, quotas] = [0, 0];
  const counted = {
    ...voice,
    listVoices: (...given: Parameters<typeof voice.listVoices>) => {
      lists += 1;
      return voice.listVoices(...given);
    },
    quota: (...given: Parameters<typeof voice.quota>) => {
      quotas += 1;
      return voice.quota(...given);
    },
  };
  const desk = { ...ctx, studio: { ...ctx.studio, providers: { ...ctx.studio.providers, voice: counted } } };
  const read = () => readVoiceDesk(desk, { served: true, apiKey: null });
  clearVoiceLibrary();
  await read();
  clock.advance(10 * 60_000 - 1);
  expect((await read()).voices.length).toBeGreaterThan(0);
  expect([lists, quotas]).toEqual([1, 2]);
  clock.advance(1);
  await read();
  expect([lists, quotas]).toEqual([2, 3]);
});
