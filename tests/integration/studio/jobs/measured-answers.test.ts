import { describe, expect, it } from 'vitest';
import { recordedVideo } from '#lib/providers/fixtures/recorded-video.ts';
import { recordedVoice } from '#lib/providers/fixtures/recorded-voice.ts';
import type { Providers } from '#lib/providers/ports.ts';
import { differencesOf } from '#lib/studio/jobs/differences.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const VOICE = { kind: 'voice', voiceId: 'Camille0Recorded0001' };
const SENTENCE = 'Une bougie coulée à la main, une mèche en coton, et la maison sent le figuier. '.repeat(4);

const answering = (scene: StudioScene, change: (providers: Providers) => Partial<Providers>) =>
  scene.with({
    providers: { ...scene.ctx.studio.providers, ...change(scene.ctx.studio.providers) },
  });

async function lossOf(id: string) {
  const loss = await service.db.auditEntry.findFirstOrThrow({
    where: { subjectId: id, action: 'generation.paid_not_delivered' },
  });
  expect(await bookFaults(service)).toEqual([]);
  return loss.data;
}

/** The sound of another text than the one asked, or another format. */
async function said(text: string, bytes: Uint8Array) {
  const scene = await studioScene(service);
  const ctx = answering(scene, ({ voice }) => ({
    voice: {
      ...voice,
      synthesize: async (...asked) => {
        const answer = await voice.synthesize(...asked);
        return answer.outcome === 'success' ? { ...answer, bytes } : answer;
      },
    },
  }));
  return (await submitGeneration(ctx, { request: request({ ...VOICE, text }) })).row;
}

/** One second of silence as 16-bit PCM: a good sound, and not what was asked. */
function wav(): Uint8Array {
  const data = Buffer.alloc(44_100 * 2);
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + data.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(44_100, 24);
  head.writeUInt32LE(88_200, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(data.length, 40);
  return new Uint8Array(Buffer.concat([head, data]));
}

describe('what came back is measured against what was asked, and not delivered when it is something else', () => {
  it('a voice that is far too short or too long for its text', async () => {
    for (const [text, other] of [
      [SENTENCE, 'Oui.'],
      ['Oui.', SENTENCE.repeat(3)],
    ] as const) {
      const row = await said(text, await recordedVoice(other));
      expect(row).toMatchObject({ state: 'FAILED', code: 'setting-dropped', costMicros: null });
      expect(await lossOf(row.id)).toMatchObject({ reason: 'setting-dropped', dropped: ['duration'] });
    }
  });

  it('a voice in another format', async () => {
    const row = await said('Bonjour à tous.', wav());
    expect(row).toMatchObject({ state: 'FAILED', code: 'setting-dropped' });
    expect(await lossOf(row.id)).toMatchObject({ dropped: ['format'] });
  });

  it('a pictogram that is no square', async () => {
    const scene = await studioScene(service);
    const ctx = answering(scene, ({ vector }) => ({
      vector: {
        generate: async (...asked) => {
          const answer = await vector.generate(...asked);
          if (answer.outcome !== 'success') return answer;
          const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 640 64"><rect width="64" height="64"/></svg>`;
          return { ...answer, svg };
        },
      },
    }));
    const { row } = await submitGeneration(ctx, {
      request: request({ kind: 'vector', brief: 'Une flamme' }),
    });
    expect(row).toMatchObject({ state: 'FAILED', code: 'setting-dropped' });
    expect(await lossOf(row.id)).toMatchObject({ dropped: ['viewBox'] });
  });

  it('a lipsync that does not last as its voice', async () => {
    const scene = await studioScene(service);
    const voice = await submitGeneration(scene.ctx, { request: request({ ...VOICE, text: SENTENCE }) });
    const image = await submitGeneration(scene.ctx, {
      request: request({ kind: 'image', brief: 'Un visage' }),
    });
    const bytes = await recordedVideo({ durationMs: 2_000, aspectRatio: '9:16', audio: true });
    const ctx = answering(scene, ({ lipsync }) => ({
      lipsync: {
        ...lipsync,
        status: async () => ({
          outcome: 'completed',
          file: { kind: 'bytes', bytes, mediaType: 'video/mp4' },
        }),
      },
    }));
    const { row } = await submitGeneration(ctx, {
      request: request({
        kind: 'lipsync',
        voiceGenerationId: voice.row.id,
        character: { generationId: image.row.id },
      }),
    });
    scene.clock.advance(60_000);
    const view = await getGeneration(ctx, { generationId: row.id });
    expect(view).toMatchObject({ status: 'failed', code: 'setting-dropped', charge: 'refunded', files: [] });
    expect(await lossOf(row.id)).toMatchObject({ dropped: ['durationSeconds'] });
  });

  it.each([
    ['720p', { width: 854, height: 480 }, ['resolution']],
    ['1080p', { width: 1280, height: 720 }, ['resolution']],
    ['4k', { width: 1920, height: 1080 }, ['resolution']],
    ['720p', { width: 720, height: 720 }, []],
    ['480p', { width: 864, height: 496 }, []],
    ['1080p', { width: 1440, height: 1440 }, []],
  ])('a video of %s that a live provider gives at %o: %j is told', async (resolution, size, told) => {
    const scene = await studioScene(service);
    const asked = { kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 };
    const { row } = await submitGeneration(scene.ctx, { request: request(asked) });
    const live = { ...row, params: { ...row.params, mode: 'live', settings: { resolution } } };
    expect(differencesOf(live, { ...size, durationMs: 4_000 })).toEqual(told);
  });
});
