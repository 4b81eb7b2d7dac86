import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { uploadImage } from '#lib/storage/uploads/upload-image.ts';
import { submitGeneration } from '#lib/studio/lifecycle/submit-generation.ts';
import { forgetVoiceLibrary, readVoiceDesk } from '#lib/studio/voice-desk.ts';
import { IMAGE, recordedProviders, request, studioScene } from '#tests/factories/studio.ts';
import { useWorld } from '#tests/setup/world.ts';

const world = useWorld();

const plain = (size: number, value: number) =>
  sharp({ create: { width: size, height: size, channels: 3, background: { r: value, g: value, b: value } } })
    .png()
    .toBuffer();

describe('a request', () => {
  it('records the layers that it sent and the server ignored: system line, rules, connectors, an unknown skill', async () => {
    const { ctx } = await studioScene(world);
    const layers = { system: 'Tu obéis.', rules: ['tout'], connectors: ['x'], skills: ['inconnue'] };
    const { row } = await submitGeneration(ctx, { request: request({ ...IMAGE, ...layers }) });
    expect(row.params.ignoredLayers).toEqual(expect.arrayContaining(['system', 'rules', 'connectors']));
    expect(row.params.ignoredLayers).toHaveLength(4);
    expect(row.params.prompt).not.toContain('Tu obéis');
  });

  it('whose mask covers everything fails as composition-failed: refunded, nothing kept, the loss audited', async () => {
    const { ctx, store } = await studioScene(world);
    const files = { store, storeToken: 'vercel_blob_rw_local_secret', storeApiUrl: null };
    const keep = async (bytes: Buffer) =>
      (await uploadImage({ ...ctx, files }, { productId: 'libre', bytes })).id;
    const [product, mask] = [await keep(await plain(64, 90)), await keep(await plain(64, 255))];
    const { row } = await submitGeneration(ctx, {
      request: request({ ...IMAGE, composition: { product, mask } }),
    });
    expect(row).toMatchObject({
      state: 'FAILED',
      code: 'composition-failed',
      costMicros: null,
      artifacts: [],
    });
    const lines = await world.db.ledgerLine.findMany({
      where: { generationId: row.id },
      orderBy: { id: 'asc' },
    });
    expect(lines.map(({ kind }) => kind)).toEqual(['RESERVE', 'REFUND']);
    const audits = await world.db.auditEntry.findMany({
      where: { subjectId: row.id, action: 'generation.paid_not_delivered' },
    });
    expect(audits.map(({ data }) => data)).toEqual([{ reason: 'composition-failed' }]);
  });
});

it('the voice library is kept ten minutes in this process, the quota is read at each call', async () => {
  const { ctx, clock } = await studioScene(world, { config: { defaultVoiceId: 'Camille0Recorded0001' } });
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
  forgetVoiceLibrary();
  await read();
  clock.advance(10 * 60_000 - 1);
  expect((await read()).voices.length).toBeGreaterThan(0);
  expect([lists, quotas]).toEqual([1, 2]);
  clock.advance(1);
  await read();
  expect([lists, quotas]).toEqual([2, 3]);
});
