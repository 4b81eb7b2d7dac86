import { describe, expect, it } from 'vitest';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { journalQuery, listGenerations } from '#lib/studio/journal/list-generations.ts';
import { relaunchGeneration } from '#lib/studio/journal/relaunch-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { exampleFields, findTemplate, renderFileNames } from '#lib/studio/templates/registry.ts';
import { handleRenderCallback } from '#lib/studio/webhooks/handle-render-callback.ts';
import { blankPng } from '#tests/factories/files/rendered-files.ts';
import { request, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const MINUTE = 60_000;
const carousel = findTemplate('carousel');
if (!carousel) throw new Error('carousel is gone');
const size = carousel.sizes[0] as (typeof carousel.sizes)[number];
const fields = exampleFields(carousel);
const BODY = { kind: 'render', template: carousel.id, size: size.id, fields };
const NAMES = renderFileNames(carousel, fields, size);

/** A carousel whose run published every page, three minutes after its launch. */
async function published(options: Parameters<typeof studioScene>[1] = {}) {
  const scene = await studioScene(service, options);
  const { row } = await submitGeneration(scene.ctx, { request: request(BODY) });
  const pathnames = NAMES.map((name) => `generations/${row.id}/${name}`);
  const png = blankPng(size.width, size.height);
  for (const pathname of pathnames.toReversed())
    await scene.store.put(pathname, png, { contentType: 'image/png' });
  scene.clock.advance(3 * MINUTE);
  const runId = row.params.workflowRunId ?? '';
  const report = { generationId: row.id, runId, durationMs: MINUTE };
  const files = pathnames.map((pathname) => ({ pathname }));
  const success = { ...report, status: 'success' as const, files };
  return { scene, row, pathnames, success };
}

describe('a render of several pages', () => {
  it('has its files in the order of its pages, on its row and in the control of their quality', async () => {
    const { scene, row, pathnames, success } = await published();
    await handleRenderCallback(scene.ctx, success);
    const { files } = await getGeneration(scene.ctx, { generationId: row.id });
    expect(files.map(({ pathname }) => pathname)).toEqual(pathnames);
    const assets = await service.db.asset.findMany({
      where: { generationId: row.id },
      orderBy: { position: 'asc' },
    });
    expect(assets.map(({ pathname, position }) => [pathname, position])).toEqual(
      pathnames.map((pathname, index) => [pathname, index]),
    );
  });

  it('that failed leaves none of them, however few the store lists at once', async () => {
    const { scene, row, pathnames, success } = await published();
    const { store } = scene;
    const list: typeof store.list = (asked) => store.list({ limit: 1, ...asked });
    const ctx = scene.with({ store: { ...store, list } });
    await handleRenderCallback(ctx, { ...success, status: 'failure', files: [] });
    expect([...store.files.keys()]).toEqual([]);
    const told = await service.db.auditEntry.findFirst({
      where: { subjectId: row.id, action: 'generation.files_discarded' },
    });
    expect(told?.data).toMatchObject({ pathnames: pathnames.toSorted() });
  });
});

it('at its hundredth minute a render is listed as unanswered, and the success that comes then is told that it is not recorded', async () => {
  const { scene, row, success } = await published();
  const listed = async (status: 'running' | 'no-callback') => {
    const { generations } = await listGenerations(scene.ctx, journalQuery.parse({ status }));
    return generations.map(({ id }) => id);
  };
  scene.clock.advance(97 * MINUTE - 1);
  expect([await listed('running'), await listed('no-callback')]).toEqual([[row.id], []]);
  scene.clock.advance(1);
  expect([await listed('running'), await listed('no-callback')]).toEqual([[], [row.id]]);
  expect(await handleRenderCallback(scene.ctx, success)).toEqual({
    result: 'decided',
    status: 'no-callback',
    agrees: false,
  });
  expect((await getGeneration(scene.ctx, { generationId: row.id })).charge).toBe('refunded');
});

it('two renders that failed are not started again under one key: the second is told that it served', async () => {
  const { scene, row } = await published({ scenario: 'run-failed' });
  const { row: other } = await submitGeneration(scene.ctx, { request: request(BODY) });
  scene.clock.advance(6 * MINUTE);
  await sweepGenerations({ ...scene.ctx, actor: { type: 'system', job: 'generations-sweep' } });
  const again = (generationId: string) =>
    relaunchGeneration(scene.ctx, { generationId, idempotencyKey: 'again' });
  const first = await again(row.id);
  expect(first.row.relaunchOfId).toBe(row.id);
  expect(await again(row.id)).toMatchObject({ outcome: 'replayed', row: { id: first.row.id } });
  await expect(again(other.id)).rejects.toMatchObject({ code: 'idempotency_conflict' });
});
