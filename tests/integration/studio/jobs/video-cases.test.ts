import { describe, expect, it } from 'vitest';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { readCaptions } from '#lib/studio/journal/read-captions.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';
import { MINUTE, started } from './video-scene.ts';

const service = useTestService({ poolMax: 20 });

describe('a lipsync', () => {
  it('takes a voice of the journal and a character, and is billed for the length of the voice', async () => {
    const scene = await studioScene(service);
    const voice = await submitGeneration(scene.ctx, {
      request: request({ kind: 'voice', text: 'Bonjour.', voiceId: 'Camille0Recorded0001' }),
    });
    const image = await submitGeneration(scene.ctx, {
      request: request({ kind: 'image', brief: 'Un visage' }),
    });
    const asset = await service.db.asset.findFirstOrThrow({ where: { generationId: image.row.id } });
    const body = { kind: 'lipsync', voiceGenerationId: voice.row.id, character: asset.id };
    const { row } = await submitGeneration(scene.ctx, { request: request(body) });
    expect(row.references).toMatchObject({
      voiceGenerationId: voice.row.id,
      roles: { character: [{ pathname: asset.pathname }] },
    });
    scene.clock.advance(MINUTE);
    const view = await getGeneration(scene.ctx, { generationId: row.id });
    expect(view).toMatchObject({ status: 'done', kind: 'LIPSYNC', assetType: 'VIDEO', charge: 'settled' });
    const captions = await readCaptions(scene.ctx, { generationId: row.id, format: 'vtt' });
    expect(captions.text).toBe('WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nBonjour.\n');
    expect(view.captions?.vtt).toBe(`/api/generations/${row.id}/captions?format=vtt`);
    await expect(
      submitGeneration(scene.ctx, { request: request({ ...body, voiceGenerationId: image.row.id }) }),
    ).rejects.toMatchObject({ code: 'invalid', options: { detail: 'voiceGenerationId' } });
  });
});

describe('each video case', () => {
  it.each([
    ['veo', { durationSeconds: 4 }],
    ['best-quality', { durationSeconds: 4 }],
    ['cinematic', { durationSeconds: 5 }],
    ['seedance-2', { durationSeconds: 4 }],
    ['seedance-2-5', { durationSeconds: 4 }],
    ['nova', { durationSeconds: 6 }],
  ])('%s starts and is delivered', async (name, settings) => {
    const scene = await studioScene(service);
    const { row } = await started(scene, { kind: 'video', case: name, brief: 'Une flamme', ...settings });
    scene.clock.advance(MINUTE);
    const view = await getGeneration(scene.ctx, { generationId: row.id });
    expect(view).toMatchObject({ status: 'done', case: name, kind: 'VIDEO' });
    expect(view.params.pricing?.basis).toBe(name.startsWith('seedance') ? 'seedance' : 'per-second');
  });
});
