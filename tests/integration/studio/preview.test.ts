import { beforeEach, describe, expect, it } from 'vitest';
import { usdFromMicros } from '#lib/core/money.ts';
import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import { setCaps } from '#lib/ledger/set-caps.ts';
import { SHARED_IMAGE_CDN } from '#lib/products/shared-hosts.ts';
import { countGenerations, listGenerations } from '#lib/studio/journal/list-generations.ts';
import { readRequest } from '#lib/studio/journal/read-request.ts';
import { clearCachedReads } from '#lib/studio/preview/cache-reads.ts';
import { previewGeneration } from '#lib/studio/preview/preview-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { makeSpace } from '#tests/factories/account.ts';
import { blankPng } from '#tests/factories/files/rendered-files.ts';
import { IMAGE, request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const ADDRESS = `https://${SHARED_IMAGE_CDN}/bougie.png`;
const READ = { bytes: blankPng(64, 64), contentType: 'image/png', charset: undefined, finalUrl: ADDRESS };
beforeEach(clearCachedReads);

describe('a preview', () => {
  it('says exactly the prompt and the amount that the submission then sends and holds, and writes nothing', async () => {
    const scene = await studioScene(service);
    const { owner } = scene;
    const { image, ...others } = scene.ctx.studio.providers;
    const sent: string[] = [];
    const generate: typeof image.generate = (one, options) => {
      sent.push(one.prompt);
      return image.generate(one, options);
    };
    const ctx = scene.with({ providers: { ...others, image: { generate } } });
    const asked = request({ ...IMAGE, skills: ['fond-uni', 'inconnu'], rules: ['non'] });
    const preview = await previewGeneration(ctx, { request: asked });
    expect(await service.db.generation.count({ where: { memberId: owner.memberId } })).toBe(0);
    const { row } = await submitGeneration(ctx, { request: asked });
    expect(preview.prompt).toBe(row.params.prompt);
    expect(sent).toEqual([row.params.prompt]);
    expect(row.params.prompt).not.toBe(IMAGE.brief);
    expect(row.params.prompt).toContain(IMAGE.brief);
    expect(row.params).toMatchObject({ brief: IMAGE.brief, case: 'image-fast', skills: ['fond-uni'] });
    expect(preview.ignoredLayers).toEqual(['rules', 'skill:inconnu']);
    expect(preview.heldUsd).toBe(usdFromMicros(row.heldMicros));
    expect(preview.afterUsd).toBeCloseTo(preview.wallet.availableUsd - preview.heldUsd, 9);
    expect(preview.refusal).toBeNull();
    expect(preview.basis).toContain('par image');
  });

  it('names the refusal that the ledger would give, word for word', async () => {
    const { ctx, owner } = await studioScene(service, { creditMicros: 1_000_000n });
    await setCaps(ctx, { memberId: owner.memberId, perGenerationCapMicros: 10n });
    const preview = await previewGeneration(ctx, { request: request(IMAGE) });
    const refused = await submitGeneration(ctx, { request: request(IMAGE) }).catch((error) => error);
    expect(preview.refusal).toEqual({ code: refused.code, message: refused.options.message });
  });

  it('refuses what the submission refuses, before any row', async () => {
    const { ctx } = await studioScene(service);
    const asked = request({ ...IMAGE, aspectRatio: '7:1' });
    await expect(previewGeneration(ctx, { request: asked })).rejects.toMatchObject({
      code: 'invalid',
      options: { detail: 'aspectRatio' },
    });
  });
});

it('a reference that could not be read is read again by the next preview, and one that was read is not', async () => {
  const scene = await studioScene(service);
  let reads = 0;
  const ctx = scene.with({
    fetch: async () => {
      reads += 1;
      if (reads === 1) throw new FetchRefusal('unreadable');
      return READ;
    },
  });
  const asked = { request: request({ ...IMAGE, references: [ADDRESS] }) };
  await expect(previewGeneration(ctx, asked)).rejects.toMatchObject({ code: 'reference-refused' });
  for (let again = 0; again < 2; again += 1)
    expect((await previewGeneration(ctx, asked)).references).toMatchObject([{ ref: ADDRESS }]);
  expect(reads).toBe(2);
});

it('a reference is billed by the begun megapixel, and a large one for the four that the model reads', async () => {
  const scene = await studioScene(service);
  const held = async (side: number) => {
    const finalUrl = `https://${SHARED_IMAGE_CDN}/${side}.png`;
    const ctx = scene.with({ fetch: async () => ({ ...READ, bytes: blankPng(side, side), finalUrl }) });
    const asked = request({ ...IMAGE, references: [finalUrl] });
    return (await previewGeneration(ctx, { request: asked })).heldUsd;
  };
  const [one, two, four, six] = [await held(1_024), await held(1_025), await held(2_048), await held(2_400)];
  expect([one < two, two < four, four === six]).toEqual([true, true, true]);
});

it('the count above the journal is that of its filters, and a row gives back its request', async () => {
  const { ctx } = await studioScene(service);
  const { row } = await submitGeneration(ctx, { request: request(IMAGE) });
  await submitGeneration(ctx, { request: request({ ...IMAGE, brief: 'Une autre demande' }) });
  expect(await countGenerations(ctx, {})).toBe(2);
  expect(await countGenerations(ctx, { status: 'running' })).toBe(0);
  expect(await countGenerations(ctx, { status: 'done', q: 'autre' })).toBe(1);
  expect((await listGenerations(ctx, { limit: 1 })).nextCursor).not.toBeNull();
  expect((await readRequest(ctx, { generationId: row.id }))?.request).toMatchObject(IMAGE);
});

it('a request that is composed again keeps its Space for who reaches it, and leaves it out for who does not', async () => {
  const { ctx } = await studioScene(service);
  const space = await makeSpace(service, ctx.actor.accountId);
  const asked = request({ ...IMAGE, spaceId: space.id });
  const { row } = await submitGeneration(ctx, { request: asked });
  const input = { generationId: row.id };
  expect((await readRequest(ctx, input))?.request).toMatchObject({ spaceId: space.id });
  const without = { ...ctx, actor: { ...ctx.actor, role: 'MEMBER' as const, spaces: {} } };
  const { request: again } = (await readRequest(without, input)) ?? {};
  expect(again).toMatchObject(IMAGE);
  expect(again).not.toHaveProperty('spaceId');
});
