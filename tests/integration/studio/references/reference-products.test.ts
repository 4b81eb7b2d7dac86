import { beforeAll, describe, expect, it } from 'vitest';
import type { MemberActor } from '#lib/core/actor.ts';
import { createId } from '#lib/core/ids.ts';
import type { SafeFetch } from '#lib/core/net/safe-fetch.ts';
import { parseSafeUrl } from '#lib/core/net/safe-url.ts';
import { DEMO_ACCOUNT_ID } from '#lib/products/registry.ts';
import { saveAvatar } from '#lib/storage/assets/avatars.ts';
import { uploadImage } from '#lib/storage/uploads/upload-image.ts';
import type { StudioContext } from '#lib/studio/context.ts';
import { previewGeneration } from '#lib/studio/preview/preview-generation.ts';
import { findOwnFiles } from '#lib/studio/references/find-files.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { makeMember, memberActor } from '#tests/factories/account.ts';
import { giveCredit } from '#tests/factories/ledger.ts';
import { claimedMeanwhile } from '#tests/factories/statements/claimed-meanwhile.ts';
import { IMAGE, request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';
import { PIXEL } from '#tests/simulation/outside.ts';

const service = useTestService();
const CANDLES = 'lumen-bougies';
const SCENTS = 'lumen-parfums';
let ctx: StudioContext<MemberActor>;

/** The account that has products. */
beforeAll(async () => {
  const scene = await studioScene(service);
  const now = scene.clock.now();
  await service.db.account.create({
    data: { id: DEMO_ACCOUNT_ID, name: 'Maison Lumen', createdAt: now, updatedAt: now },
  });
  const member = await makeMember(service, DEMO_ACCOUNT_ID, { now });
  ctx = { ...scene.ctx, actor: memberActor(member) as MemberActor };
  await giveCredit(ctx, member.id, 100_000_000n);
});

const files = () => ({
  ...ctx,
  files: { store: ctx.studio.store, storeToken: 'vercel_blob_rw_local_secret', storeApiUrl: null },
});

/** An upload, an asset and an avatar of a product. */
async function shelf(productId: string): Promise<Record<string, string>> {
  const upload = await uploadImage(files(), { productId, bytes: PIXEL });
  const { row } = await submitGeneration(ctx, { request: request({ ...IMAGE, productId }) });
  const asset = await service.db.asset.findFirstOrThrow({ where: { generationId: row.id } });
  const avatar = await saveAvatar(ctx, { assetId: asset.id, name: 'Camille' });
  return { upload: upload.id, asset: asset.id, avatar: avatar.id };
}

const asks = (productId: string, ref: string) => request({ ...IMAGE, productId, references: [ref] });

describe('a reference by identifier', () => {
  it('of another product is refused with its name, in the preview too, with no row: purging that product would take it', async () => {
    const shelved = await shelf(CANDLES);
    const rows = await service.db.generation.count();
    for (const productId of [SCENTS, 'libre'])
      for (const [kind, ref] of Object.entries(shelved)) {
        const refusal = {
          code: 'reference-refused',
          options: {
            detail: 'host-not-allowed',
            subject: ref,
            message: expect.stringContaining('Bougies Maison Lumen'),
          },
        };
        const asked = asks(productId, ref);
        await expect(submitGeneration(ctx, { request: asked }), kind).rejects.toMatchObject(refusal);
        await expect(previewGeneration(ctx, { request: asked }), kind).rejects.toMatchObject(refusal);
      }
    expect(await service.db.generation.count()).toBe(rows);
  });

  it('of the product itself, or of the free one, is taken', async () => {
    for (const ref of Object.values(await shelf(SCENTS)))
      expect((await submitGeneration(ctx, { request: asks(SCENTS, ref) })).outcome).toBe('delivered');
    for (const ref of Object.values(await shelf('libre')))
      for (const productId of [SCENTS, 'libre'])
        expect((await submitGeneration(ctx, { request: asks(productId, ref) })).outcome).toBe('delivered');
  });
});

describe('a reference by address', () => {
  it('is read from the shared image host and from the shops of its own product, and from no other host', async () => {
    // Judges as the real one does, and then reads.
    const fetch: SafeFetch = async (address, options = {}) => {
      parseSafeUrl(address, options.policy);
      return { bytes: PIXEL, contentType: 'image/png', charset: undefined, finalUrl: address };
    };
    const reading = { ...ctx, studio: { ...ctx.studio, fetch } };
    const asked = (productId: string, host: string) => ({
      request: asks(productId, `https://${host}/photo.png`),
    });
    const outcome = (productId: string, host: string) =>
      submitGeneration(reading, asked(productId, host)).then(
        (done) => done.outcome,
        ({ options }) => options.detail,
      );
    // What was read a moment ago for one product says nothing of another.
    const previewed = (productId: string, host: string) =>
      previewGeneration(reading, asked(productId, host)).then(
        () => 'delivered',
        ({ options }) => options.detail,
      );
    const [shared, both, candles] = [
      'cdn.shopify.com',
      'www.maison-lumen.example',
      'boutique.maison-lumen.example',
    ];
    const others = ['maison-lumen.example', `a.${candles}`, `img.${shared}`, 'ailleurs.example'];
    for (const [productId, hosts] of [
      [CANDLES, [shared, both, candles]],
      [SCENTS, [shared, both]],
      ['libre', [shared]],
    ] as const)
      for (const host of [shared, both, candles, ...others])
        for (const told of [outcome, previewed])
          expect(await told(productId, host), `${productId}: ${host}`).toBe(
            (hosts as readonly string[]).includes(host) ? 'delivered' : 'host-not-allowed',
          );
  });
});

describe('the voice that a lipsync says', () => {
  const say = (productId: string) =>
    request({ kind: 'voice', productId, text: 'Bonjour.', voiceId: 'Camille0Recorded0001' });
  const lips = (productId: string, voiceGenerationId: string, character: string) =>
    request({ kind: 'lipsync', productId, voiceGenerationId, character });

  it('is of the product or the free one, as a reference is; another’s is refused with its name, with no row', async () => {
    const { row: voice } = await submitGeneration(ctx, { request: say(CANDLES) });
    const { row: free } = await submitGeneration(ctx, { request: say('libre') });
    const { upload: face } = await shelf('libre');
    if (!face) throw new Error('a face');
    const rows = await service.db.generation.count();
    for (const productId of [SCENTS, 'libre']) {
      const refused = submitGeneration(ctx, { request: lips(productId, voice.id, face) });
      await expect(refused, productId).rejects.toMatchObject({
        code: 'invalid',
        options: {
          detail: 'voiceGenerationId',
          problems: [
            { field: 'voiceGenerationId', message: expect.stringContaining('Bougies Maison Lumen') },
          ],
        },
      });
    }
    expect(await service.db.generation.count()).toBe(rows);
    for (const [productId, id] of [
      [CANDLES, voice.id],
      [SCENTS, free.id],
    ] as const)
      expect((await submitGeneration(ctx, { request: lips(productId, id, face) })).outcome).toBe('running');
  });

  it('of another account is answered as one that is not, whatever its product', async () => {
    const { row: voice } = await submitGeneration(ctx, { request: say(CANDLES) });
    const { ctx: stranger } = await studioScene(service);
    const told = (voiceGenerationId: string) =>
      submitGeneration(stranger, { request: lips('libre', voiceGenerationId, createId('upload')) }).then(
        ({ outcome }) => outcome,
        ({ code, options }) => [code, options.problems],
      );
    expect(await told(voice.id)).toEqual(await told(createId('generation')));
  });

  it('is touched before there is a row, so that no night takes it meanwhile; one that a night has taken is refused', async () => {
    const { row: voice } = await submitGeneration(ctx, { request: say('libre') });
    const { upload: face } = await shelf('libre');
    if (!face) throw new Error('a face');
    const spoken = { where: { generationId: voice.id } };
    // A reference that is refused: no row is ever written.
    const missing = submitGeneration(ctx, { request: lips('libre', voice.id, createId('upload')) });
    await expect(missing).rejects.toMatchObject({ code: 'reference-refused' });
    const { id, usedAt } = await service.db.asset.findFirstOrThrow(spoken);
    expect(usedAt).toEqual(ctx.clock.now());
    await service.db.asset.update({ where: { id }, data: { expiringAt: ctx.clock.now() } });
    const taken = submitGeneration(ctx, { request: lips('libre', voice.id, face) });
    const refusal = { code: 'invalid', options: { detail: 'voiceGenerationId' } };
    await expect(taken).rejects.toMatchObject(refusal);
  });

  it('that a night is taking in the very moment is found by nobody: a request waits for that, and reads what stands', async () => {
    const { upload, asset } = await shelf('libre');
    for (const [table, id] of Object.entries({ Upload: upload, Asset: asset })) {
      const claim = {
        text: `UPDATE "${table}" SET "expiringAt" = $2 WHERE "id" = $1`,
        values: [id, ctx.clock.now()],
      };
      const find = () => findOwnFiles(ctx, { ids: [id ?? ''], pathnames: [] });
      expect([table, await claimedMeanwhile(service, claim, find)]).toEqual([
        table,
        { came: [], waited: true },
      ]);
    }
  });
});
