import { expect, it } from 'vitest';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { blankPng } from '#tests/factories/files/rendered-files.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { IMAGE, request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

/** An image in 16:9 was asked; this is what the provider gives. */
async function answered(width: number, height: number) {
  const scene = await studioScene(service);
  const { image } = scene.ctx.studio.providers;
  const generate: typeof image.generate = async (...asked) => {
    const answer = await image.generate(...asked);
    if (answer.outcome !== 'success') return answer;
    return { ...answer, images: [{ bytes: blankPng(width, height), mediaType: 'image/png' }] };
  };
  const ctx = scene.with({ providers: { ...scene.ctx.studio.providers, image: { generate } } });
  return submitGeneration(ctx, { request: request({ ...IMAGE, aspectRatio: '16:9' }) });
}

it('an image upright where a wide one was asked is not delivered: refunded, and the loss is audited', async () => {
  const { row } = await answered(576, 1024);
  expect(row).toMatchObject({ state: 'FAILED', code: 'setting-dropped', costMicros: null, artifacts: [] });
  const loss = await service.db.auditEntry.findFirstOrThrow({
    where: { subjectId: row.id, action: 'generation.paid_not_delivered' },
  });
  expect(loss.data).toMatchObject({ reason: 'setting-dropped', dropped: ['aspectRatio'] });
  expect(await bookFaults(service)).toEqual([]);
});

it.each([
  [1044, 'COMPLETED'],
  [1046, 'FAILED'],
  [1005, 'COMPLETED'],
  [1003, 'FAILED'],
])(
  'an image of %i × 576 where 16:9 was asked is %s: a fiftieth more or less passes',
  async (width, state) => {
    expect((await answered(width, 576)).row).toMatchObject({ state });
  },
);

it('an image of the nearest size that the model has is delivered', async () => {
  expect((await answered(1344, 768)).row).toMatchObject({ state: 'COMPLETED' });
});
