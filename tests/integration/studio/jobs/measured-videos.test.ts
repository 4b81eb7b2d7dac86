import { expect, it } from 'vitest';
import { recordedVideo } from '#lib/providers/fixtures/recorded-video.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const ASKED = { kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4, aspectRatio: '16:9' };

/** A video of four seconds in 16:9 was asked; this is what the provider gives. */
async function answered(file: { durationMs: number; aspectRatio: string }) {
  const scene = await studioScene(service);
  const { video } = scene.ctx.studio.providers;
  const bytes = await recordedVideo({ ...file, audio: true });
  const ctx = scene.with({
    providers: {
      ...scene.ctx.studio.providers,
      video: {
        ...video,
        status: async () => ({
          outcome: 'completed',
          file: { kind: 'bytes', bytes, mediaType: 'video/mp4' },
          warnings: [],
          dropped: [],
          endFrameDropped: false,
        }),
      },
    },
  });
  const { row } = await submitGeneration(ctx, { request: request(ASKED) });
  scene.clock.advance(60_000);
  return { row, view: await getGeneration(ctx, { generationId: row.id }) };
}

it.each([
  ['three times as long', { durationMs: 12_000, aspectRatio: '16:9' }, 'durationSeconds'],
  ['half as long', { durationMs: 2_000, aspectRatio: '16:9' }, 'durationSeconds'],
  ['upright', { durationMs: 4_000, aspectRatio: '9:16' }, 'aspectRatio'],
])(
  'a video that is not what was asked (%s) is not delivered: refunded, and the loss is audited',
  async (_, file, setting) => {
    const { row, view } = await answered(file);
    expect(view).toMatchObject({ status: 'failed', code: 'setting-dropped', charge: 'refunded', files: [] });
    const loss = await service.db.auditEntry.findFirstOrThrow({
      where: { subjectId: row.id, action: 'generation.paid_not_delivered' },
    });
    expect(loss.data).toMatchObject({ reason: 'setting-dropped', dropped: [setting] });
    expect(await bookFaults(service)).toEqual([]);
  },
);

it('a video that ends within a second of what was asked is delivered', async () => {
  const { view } = await answered({ durationMs: 4_600, aspectRatio: '16:9' });
  expect(view).toMatchObject({ status: 'done', charge: 'settled' });
});
