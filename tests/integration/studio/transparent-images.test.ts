import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { IMAGE, recordedProviders, request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const CUT_OUT = { ...IMAGE, case: 'image-transparent' };

/** The same scene, whose provider gives this picture. */
function giving(scene: StudioScene, bytes: Uint8Array) {
  const { providers } = scene.ctx.studio;
  const generate: typeof providers.image.generate = async (...asked) => {
    const answer = await providers.image.generate(...asked);
    return answer.outcome === 'success' ? { ...answer, images: [{ bytes, mediaType: 'image/png' }] } : answer;
  };
  return scene.with({ providers: { ...providers, image: { generate } } });
}

const square = (background: string) =>
  sharp({ create: { width: 1024, height: 1024, channels: 4, background } })
    .png()
    .toBuffer();

describe('an image without a background', () => {
  it('is drawn at the model’s size, lets light through, is marked, settled and summed', async () => {
    const { ctx, store } = await studioScene(service);
    const { row } = await submitGeneration(ctx, { request: request({ ...CUT_OUT, aspectRatio: '3:2' }) });
    expect(row).toMatchObject({
      state: 'COMPLETED',
      modelId: 'openai/gpt-image-2.5-flare',
      heldMicros: 60_000n,
      params: { settings: { background: 'transparent' } },
      artifacts: [{ contentType: 'image/png', width: 1536, height: 1024, provenance: 'mark' }],
    });
    const kept = store.files.get(row.artifacts[0]?.pathname ?? '')?.content;
    expect((await sharp(kept).stats()).isOpaque).toBe(false);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('that comes back opaque, be it with a channel for transparency, is not delivered: refunded, and the loss is audited', async () => {
    const ctx = giving(await studioScene(service), await square('#8a4b2aff'));
    const { row } = await submitGeneration(ctx, { request: request(CUT_OUT) });
    expect(row).toMatchObject({ state: 'FAILED', code: 'setting-dropped', costMicros: null, artifacts: [] });
    const loss = await service.db.auditEntry.findFirstOrThrow({
      where: { subjectId: row.id, action: 'generation.paid_not_delivered' },
    });
    expect(loss.data).toMatchObject({ reason: 'setting-dropped', dropped: ['background'] });
    expect(await bookFaults(service)).toEqual([]);
  });

  it('takes a picture whose background is to go, which is held for and named on the row', async () => {
    const scene = await studioScene(service);
    const first = await submitGeneration(scene.ctx, { request: request(IMAGE) });
    const asset = await service.db.asset.findFirstOrThrow({ where: { generationId: first.row.id } });
    const { row } = await submitGeneration(scene.ctx, {
      request: request({ ...CUT_OUT, references: [asset.id], ancestorId: first.row.id }),
    });
    expect(row).toMatchObject({ state: 'COMPLETED', heldMicros: 85_000n, ancestorId: first.row.id });
  });

  it.each([
    ['seed', { seed: 7 }],
    ['aspectRatio', { aspectRatio: '16:9' }],
    ['composition.product', { composition: { product: 'ast_x', mask: 'ast_y' } }],
  ])('is refused a %s before any row or reserve', async (detail, more) => {
    const { ctx, owner } = await studioScene(service);
    await expect(submitGeneration(ctx, { request: request({ ...CUT_OUT, ...more }) })).rejects.toMatchObject({
      code: 'invalid',
      options: { detail },
    });
    expect(await service.db.generation.count({ where: { memberId: owner.memberId } })).toBe(0);
  });

  it('whose provider says no costs nothing', async () => {
    const scene = await studioScene(service);
    const ctx = scene.with({ providers: recordedProviders(scene.clock, 'content-refused') });
    const { row } = await submitGeneration(ctx, { request: request(CUT_OUT) });
    expect(row).toMatchObject({ state: 'FAILED', costMicros: null });
    expect(await bookFaults(service)).toEqual([]);
  });
});
