import { expect, it } from 'vitest';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { judge } from '#tests/chaos/judge.ts';
import type { Job } from '#tests/chaos/outside.ts';
import { IMAGE, request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const VIDEO = { kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 };

/** Finished rows as a run of npm run chaos leaves them: what was asked, what the provider would bill, what is stored. */
async function finished() {
  const scene = await studioScene(service);
  const ask = async (key: string, body: Record<string, unknown>) => {
    const { row } = await submitGeneration(scene.ctx, { request: request(body), idempotencyKey: key });
    return { key, body, id: row.id, sends: 1 };
  };
  const asks = [await ask('video', VIDEO), await ask('image', IMAGE)];
  scene.clock.advance(60_000);
  const id = asks[0]?.id ?? '';
  await getGeneration(scene.ctx, { generationId: id });
  const job: Job = {
    jobId: 'job',
    generationId: id,
    scenario: 'success',
    costMicros: 400_000n,
    starts: 1,
    faults: 0,
    handed: 1,
  };
  const outside = { jobs: new Map([[id, job]]), images: new Map([['image', 1]]) };
  const judged = () =>
    judge({ connection: service.connection, store: scene.store, outside, asks, dataDir: 'nowhere' });
  return { scene, asks, job, outside, judged, id };
}

it('the judge of the chaos run passes sound rows, and names each thing that is wrong', async () => {
  const { scene, asks, job, outside, judged, id } = await finished();
  const sound = await judged();
  expect(sound.violations).toEqual([]);
  expect(sound.filesRead).toBe(2);

  const [pathname = '', file] = [...scene.store.files].find(([name]) => name.endsWith('.mp4')) ?? [];
  if (!file) throw new Error('no video');
  scene.store.files.delete(pathname);
  expect((await judged()).violations).toEqual([expect.stringContaining('is missing')]);
  scene.store.files.set(pathname, { ...file, content: file.content.slice(0, 100) });
  expect((await judged()).violations).toEqual([expect.stringContaining('is not whole')]);
  scene.store.files.set(pathname, file);

  job.starts = 2;
  job.costMicros = 390_000n;
  outside.images.set('image', 2);
  asks.push({ key: 'lost', body: IMAGE, id: 'gen_lost', sends: 1 });
  const { violations } = await judged();
  for (const wrong of [
    'started 2 times',
    'debited 400000',
    'paid 2 times',
    'request lost made 0 rows',
    '2 rows for 3',
  ])
    expect(violations.join('\n')).toContain(wrong);
  job.starts = 1;
  job.costMicros = 400_000n;
  outside.images.set('image', 1);
  asks.pop();

  await service.pool.query(
    `BEGIN; ALTER TABLE "LedgerLine" DISABLE TRIGGER "LedgerLine_append_only";
     DELETE FROM "LedgerLine" WHERE "generationId" = '${id}' AND "kind" = 'SETTLE';
     ALTER TABLE "LedgerLine" ENABLE TRIGGER "LedgerLine_append_only"; COMMIT`,
  );
  const books = (await judged()).violations.join('\n');
  expect(books).toContain('balance');
  expect(books).toContain('its lines are RESERVE');
});
