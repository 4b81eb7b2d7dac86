import { describe, expect, it } from 'vitest';
import { FetchRefusal } from '#lib/core/net/fetch-refusal.ts';
import { generationAnswer } from '#lib/http/responses/generation-answer.ts';
import { modelFor } from '#lib/providers/models/catalogue.ts';
import type { VideoProvider } from '#lib/providers/ports.ts';
import { readRow } from '#lib/studio/generation/find-generation.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { readCaptions } from '#lib/studio/journal/read-captions.ts';
import { advanceGeneration } from '#lib/studio/lifecycle/advance-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const MINUTE = 60_000;
const VEO = { kind: 'video', case: 'veo', brief: 'Une flamme qui vacille', durationSeconds: 4 };

const withStatus = (scene: StudioScene, status: VideoProvider['status']) => {
  const { providers } = scene.ctx.studio;
  return scene.with({ providers: { ...providers, video: { ...providers.video, status } } });
};

describe('a job', () => {
  it('whose provider asks for a pause keeps the longest: a shorter one that a webhook meets takes nothing of it back', async () => {
    const scene = await studioScene(service);
    const { row } = await submitGeneration(scene.ctx, { request: request(VEO) });
    scene.clock.advance(MINUTE);
    const pauses = [90_000, 10_000, 10_000];
    let reads = 0;
    const busy = withStatus(scene, async () => {
      const retryAfterMs = pauses[reads] ?? 0;
      reads += 1;
      return {
        outcome: 'failed',
        reason: 'rate-limited',
        retrySafe: 'surely-not-sent',
        status: 429,
        detail: 'HTTP 429',
        attempts: 1,
        elapsedMs: 3,
        retryAfterMs,
      } as const;
    });
    const read = () => getGeneration(busy, { generationId: row.id });
    await read();
    const open = await readRow(busy, row.id);
    if (!open) throw new Error('the row is gone');
    await advanceGeneration(busy, open, { type: 'visit' }, 'webhook');
    scene.clock.advance(90_000 - 1);
    await read();
    expect(reads).toBe(2);
    scene.clock.advance(1);
    await read();
    expect(reads).toBe(3);
  });

  it('whose file is larger than what is read ends at the first visit, refunded and told as paid', async () => {
    const scene = await studioScene(service, { scenario: 'url-file' });
    const { row } = await submitGeneration(scene.ctx, { request: request(VEO) });
    const { providers } = scene.ctx.studio;
    const ctx = scene.with({
      providers: { ...providers, openRecorded: async () => undefined },
      fetch: () => Promise.reject(new FetchRefusal('too-large')),
    });
    scene.clock.advance(MINUTE);
    expect(await getGeneration(ctx, { generationId: row.id })).toMatchObject({
      status: 'failed',
      code: 'provider-failure',
      charge: 'refunded',
    });
    expect(
      await service.db.auditEntry.count({
        where: { subjectId: row.id, action: 'generation.paid_not_delivered' },
      }),
    ).toBe(1);
  });
});

it('a video whose length its clip decides is held for the longest that the model makes', async () => {
  const { ctx, clock } = await studioScene(service);
  const { row: film } = await submitGeneration(ctx, { request: request(VEO) });
  clock.advance(MINUTE);
  await getGeneration(ctx, { generationId: film.id });
  const { id } = await service.db.asset.findFirstOrThrow({ where: { generationId: film.id } });
  const name = 'seedance-2-5';
  const asked = { kind: 'video', case: name, brief: 'La même flamme', clips: [id] };
  const { row } = await submitGeneration(ctx, { request: request(asked) });
  const longest = modelFor(name).limits.durationsSeconds?.at(-1) ?? 0;
  expect(row.params.settings).not.toHaveProperty('durationSeconds');
  expect(row.params.pricing).toMatchObject({ outputMs: longest * 1_000 });
});

it('a video that failed after its request is replayed as its row, not as a refusal', async () => {
  const { ctx, clock } = await studioScene(service);
  const asked = { request: request(VEO), idempotencyKey: 'late' };
  const { row } = await submitGeneration(ctx, asked);
  clock.advance(120 * MINUTE);
  expect((await getGeneration(ctx, { generationId: row.id })).code).toBe('video_timeout');
  const answer = await generationAnswer(ctx, await submitGeneration(ctx, asked));
  expect(answer).toMatchObject({
    status: 200,
    body: { id: row.id, status: 'failed', charge: 'refunded' },
    headers: { 'Idempotent-Replayed': 'true' },
  });
});

it('a lipsync has no captions before it has a file, though its voice has its times', async () => {
  const { ctx, clock } = await studioScene(service);
  const { row: voice } = await submitGeneration(ctx, {
    request: request({ kind: 'voice', text: 'Bonjour.', voiceId: 'Camille0Recorded0001' }),
  });
  const { row: face } = await submitGeneration(ctx, {
    request: request({ kind: 'image', brief: 'Un visage' }),
  });
  const file = await service.db.asset.findFirstOrThrow({ where: { generationId: face.id } });
  const body = { kind: 'lipsync', voiceGenerationId: voice.id, character: file.id };
  const { row } = await submitGeneration(ctx, { request: request(body) });
  // What is said is a voice: a picture has no words.
  await expect(
    submitGeneration(ctx, { request: request({ ...body, voiceGenerationId: face.id }) }),
  ).rejects.toMatchObject({
    options: { problems: [{ message: expect.stringMatching(/^Cette voix n’existe pas/) }] },
  });
  const input = { generationId: row.id };
  expect(row.params.alignment).toBeDefined();
  expect((await getGeneration(ctx, input)).captions).toBeNull();
  await expect(readCaptions(ctx, { ...input, format: 'srt' })).rejects.toMatchObject({ code: 'not_found' });
  clock.advance(MINUTE);
  expect((await getGeneration(ctx, input)).captions).not.toBeNull();
});
