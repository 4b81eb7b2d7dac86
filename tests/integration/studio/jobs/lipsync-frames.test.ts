import {
  BufferSource,
  BufferTarget,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny';
import { expect, it } from 'vitest';
import { recordedVideo } from '#lib/providers/fixtures/recorded-video.ts';
import type { LipsyncCompleted } from '#lib/providers/ports.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { previewGeneration } from '#lib/studio/preview/preview-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const SHAPE = { aspectRatio: '9:16', audio: false } as const;

/** A film of 48 frames a second: the recorded one, whose 24 pass in half the time. */
async function fastFilm(durationMs: number): Promise<Uint8Array> {
  const slow = await recordedVideo({ ...SHAPE, durationMs: durationMs * 2 });
  const input = new Input({ formats: [MP4], source: new BufferSource(slow) });
  const track = await input.getPrimaryVideoTrack();
  if (!track?.codec) throw new Error('the recorded film has no pictures');
  const target = new BufferTarget();
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target });
  const source = new EncodedVideoPacketSource(track.codec);
  output.addVideoTrack(source);
  await output.start();
  const decoderConfig = (await track.getDecoderConfig()) as never;
  for await (const packet of new EncodedPacketSink(track).packets()) {
    const [timestamp, duration] = [packet.timestamp / 2, packet.duration / 2];
    await source.add(packet.clone({ timestamp, duration }), { decoderConfig });
  }
  await output.finalize();
  return new Uint8Array(target.buffer as ArrayBuffer);
}

/** A voice of the journal, and a clip whose file holds these bytes. */
async function asked(scene: StudioScene, clip: Uint8Array) {
  const send = async (body: Record<string, unknown>) =>
    (await submitGeneration(scene.ctx, { request: request(body) })).row;
  const voice = await send({ kind: 'voice', text: 'Bonjour à tous.', voiceId: 'Camille0Recorded0001' });
  const film = await send({ kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 });
  scene.clock.advance(60_000);
  const { pathname } = (await getGeneration(scene.ctx, { generationId: film.id })).files[0] ?? {};
  await scene.ctx.studio.store?.put(pathname ?? '', clip, { contentType: 'video/mp4' });
  const body = { kind: 'lipsync', voiceGenerationId: voice.id, clip: { generationId: film.id } };
  return { body, voiceMs: voice.params.voiceMs ?? 0, send };
}

/** The same scene, whose lipsync service answers with this film. */
const answering = (scene: StudioScene, bytes: Uint8Array, cost: Pick<LipsyncCompleted, 'costMicros'>) => {
  const { providers } = scene.ctx.studio;
  const file = { kind: 'bytes', bytes, mediaType: 'video/mp4' } as const;
  const status = async (): Promise<LipsyncCompleted> => ({ outcome: 'completed', file, ...cost });
  return scene.with({ providers: { ...providers, lipsync: { ...providers.lipsync, status } } });
};

const priceOf = (ms: number, framesPerSecond: number) => (BigInt(ms) * 50n * BigInt(framesPerSecond)) / 25n;

it('a lipsync of a clip of 48 frames a second is held for at what those frames cost, and its price says so', async () => {
  const scene = await studioScene(service);
  const usual = await asked(scene, await recordedVideo({ ...SHAPE, durationMs: 4_000 }));
  expect((await usual.send(usual.body)).heldMicros).toBe(priceOf(usual.voiceMs, 25));
  const { body, voiceMs, send } = await asked(scene, await fastFilm(4_000));
  const { basis } = await previewGeneration(scene.ctx, { request: request(body) });
  expect(basis).toContain('la seconde de 25\u00a0images, à 48\u00a0images par seconde, ×');
  const row = await send(body);
  expect(row.heldMicros).toBe(priceOf(voiceMs, 48));
  expect(row.params.pricing).toMatchObject({ framesPerSecond: 48, atFramesPerSecond: 25 });
});

it('it is debited at the service’s own figure, and where there is none by the frames of its file', async () => {
  for (const [costMicros, source] of [
    [undefined, 'formula'],
    [71_000n, 'gateway'],
  ] as const) {
    const scene = await studioScene(service);
    const { body, voiceMs, send } = await asked(scene, await fastFilm(4_000));
    const row = await send(body);
    const cost = costMicros === undefined ? {} : { costMicros };
    const ctx = answering(scene, await fastFilm(voiceMs), cost);
    scene.clock.advance(60_000);
    expect(await getGeneration(ctx, { generationId: row.id })).toMatchObject({ status: 'done' });
    const closed = await service.db.generation.findUniqueOrThrow({ where: { id: row.id } });
    // Its last frame is cut where the voice ends: the average is a little more than 48.
    expect(closed.costMicros).toBeGreaterThanOrEqual(costMicros ?? priceOf(voiceMs, 48));
    expect(closed.costMicros).toBeLessThanOrEqual(costMicros ?? priceOf(voiceMs, 49));
    expect(closed.params).toMatchObject({ costSource: source });
    expect(await bookFaults(service)).toEqual([]);
  }
});

it('the recorded service tells what a job cost, as the real one does; without a figure the formula counts', async () => {
  for (const [scenario, source] of [
    ['success', 'gateway'],
    ['no-cost', 'formula'],
  ] as const) {
    const scene = await studioScene(service, { scenario });
    const { body, voiceMs, send } = await asked(scene, await recordedVideo({ ...SHAPE, durationMs: 4_000 }));
    const row = await send(body);
    scene.clock.advance(60_000);
    expect(await getGeneration(scene.ctx, { generationId: row.id })).toMatchObject({
      status: 'done',
      params: { costSource: source },
    });
    const { costMicros } = await service.db.generation.findUniqueOrThrow({ where: { id: row.id } });
    expect(costMicros).toBe(priceOf(voiceMs, 25));
  }
});
