import { describe, expect, it } from 'vitest';
import type { FileRequest } from '#lib/storage/serving/open-file.ts';
import { closeGeneration } from '#lib/studio/closing/close-generation.ts';
import { readRow } from '#lib/studio/generation/find-generation.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { openDeliveredFile } from '#lib/studio/journal/open-delivered-file.ts';
import { advanceGeneration } from '#lib/studio/lifecycle/advance-generation.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { broken } from '#tests/factories/statements/broken-statements.ts';
import { IMAGE, request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const MINUTE = 60_000;
const VIDEO = { kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 };

const asked = (pathname: string): FileRequest => ({
  pathname,
  range: null,
  ifRange: null,
  ifNoneMatch: null,
  download: false,
  withoutBody: true,
});
const withFiles = (scene: StudioScene) => ({
  ...scene.ctx,
  files: { store: scene.store, storeToken: null, storeApiUrl: null },
});

/** A generation whose debit is written and whose row could not be, twice. */
async function debited(body: Record<string, unknown>) {
  const scene = await studioScene(service);
  const half = broken(service, scene, ['studio.close', 'studio.defer']);
  if (body.kind === 'image') {
    const { row } = await submitGeneration(half, { request: request(body) });
    return { scene, id: row.id, pathname: row.artifacts[0]?.pathname ?? '' };
  }
  const { row } = await submitGeneration(scene.ctx, { request: request(body) });
  scene.clock.advance(MINUTE);
  const view = await getGeneration(half, { generationId: row.id });
  return { scene, id: row.id, pathname: view.files[0]?.pathname ?? '' };
}

describe('a file that was debited is there, though its row could not be closed', () => {
  it.each([['image', IMAGE] as const, ['video', VIDEO] as const])('%s: by its address', async (_, body) => {
    const { scene, id, pathname } = await debited(body);
    expect(pathname).toContain(id);
    expect(await openDeliveredFile(withFiles(scene), asked(pathname))).toMatchObject({ status: 200 });
    const row = await service.db.generation.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ state: 'COMPLETED', closedBy: 'read' });
    expect(await bookFaults(service)).toEqual([]);
  });

  it.each([['image', IMAGE] as const, ['video', VIDEO] as const])('%s: by its row', async (_, body) => {
    const { scene, id, pathname } = await debited(body);
    const silent = scene.with({
      providers: {
        ...scene.ctx.studio.providers,
        video: { ...scene.ctx.studio.providers.video, status: () => Promise.reject(new Error('not asked')) },
      },
    });
    const view = await getGeneration(silent, { generationId: id });
    expect(view).toMatchObject({ status: 'done', charge: 'settled', files: [{ pathname }] });
    expect(await service.db.asset.count({ where: { generationId: id } })).toBe(1);
    expect(await bookFaults(service)).toEqual([]);
  });

  it.each([['image', IMAGE] as const, ['video', VIDEO] as const])(
    '%s: a store that lists it late completes no row without it',
    async (_, body) => {
      const { scene, id, pathname } = await debited(body);
      const late = scene.with({ store: { ...scene.store, list: async () => ({ files: [] }) } });
      expect(await getGeneration(late, { generationId: id })).toMatchObject({ status: 'running', files: [] });
      scene.clock.advance(9 * MINUTE);
      const swept = await sweepGenerations({ ...late, actor: { type: 'system', job: 'generations-sweep' } });
      // A request's own row is not due yet.
      expect(swept.errors).toBe(body.kind === 'video' ? 1 : 0);
      expect((await service.db.generation.findUniqueOrThrow({ where: { id } })).closedAt).toBeNull();
      const view = await getGeneration(scene.ctx, { generationId: id });
      expect(view).toMatchObject({ status: 'done', charge: 'settled', files: [{ pathname }] });
      expect(await bookFaults(service)).toEqual([]);
    },
  );

  it('that the store never shows again is said so, and keeps its row open for ten minutes alone', async () => {
    const { scene, id } = await debited(VIDEO);
    scene.store.files.clear();
    const state = async () => {
      await getGeneration(scene.ctx, { generationId: id });
      return (await service.db.generation.findUniqueOrThrow({ where: { id } })).state;
    };
    scene.clock.advance(10 * MINUTE - 1);
    expect(await state()).toBe('SUBMITTED');
    scene.clock.advance(1);
    // An instance that has no store knows nothing of it.
    await getGeneration(scene.with({ store: null }), { generationId: id });
    expect((await service.db.generation.findUniqueOrThrow({ where: { id } })).state).toBe('SUBMITTED');
    expect(await state()).toBe('COMPLETED');
    const missing = scene.lines.filter(({ event }) => event === 'generation.files_missing');
    expect(missing).toMatchObject([{ level: 'error', generationId: id }]);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('and to nobody of another account, whose question changes nothing', async () => {
    const { scene, id, pathname } = await debited(IMAGE);
    const stranger = { ...withFiles(scene), actor: (await makeAccount(service)).actor };
    await expect(openDeliveredFile(stranger, asked(pathname))).rejects.toMatchObject({ code: 'not_found' });
    expect((await service.db.generation.findUniqueOrThrow({ where: { id } })).state).toBe('STARTING');
  });
});

it('a webhook after the debit, to which the provider tells another price, tells the ledger’s: in the audit and on the row, once', async () => {
  const { scene, id } = await debited(VIDEO);
  const row = await readRow(scene.ctx, id);
  if (!row) throw new Error('the row is there');
  const { providers } = scene.ctx.studio;
  const dearer = scene.with({
    providers: {
      ...providers,
      video: {
        ...providers.video,
        status: async (job) => {
          const status = await providers.video.status(job);
          return status.outcome === 'completed' ? { ...status, costMicros: 3n * row.heldMicros } : status;
        },
      },
    },
  });
  scene.clock.advance(1_000);
  const advanced = await advanceGeneration(dearer, row, { type: 'visit' }, 'webhook');
  const line = await service.db.ledgerLine.findFirstOrThrow({ where: { generationId: id, kind: 'SETTLE' } });
  const costMicros = -line.amountMicros;
  expect(costMicros).not.toBe(3n * row.heldMicros);
  expect(advanced).toMatchObject({
    result: 'closed',
    row: { state: 'COMPLETED', closedBy: 'webhook', costMicros, artifacts: [{}] },
  });
  const told = await service.db.auditEntry.findMany({ where: { subjectId: id }, orderBy: { id: 'asc' } });
  expect(told.map(({ action, data }) => ({ action, data }))).toEqual([
    {
      action: 'generation.close_pending',
      data: expect.objectContaining({ costMicros: costMicros.toString() }),
    },
    {
      action: 'generation.reconciled',
      data: { from: 'settle-line', costMicros: costMicros.toString() },
    },
  ]);
  const { params } = await getGeneration(scene.ctx, { generationId: id });
  expect(params.costSource).toBeUndefined();
  expect(await bookFaults(service)).toEqual([]);
});

it.each(['provider-failure', 'internal-error'] as const)(
  'a failure (%s) that meets a debit completes the row at that debit: never a refund beside it',
  async (code) => {
    const { scene, id } = await debited(IMAGE);
    const row = await readRow(scene.ctx, id);
    if (!row) throw new Error('the row is there');
    const closed = await closeGeneration(scene.ctx, {
      row,
      ending: { result: 'failed', code },
      closedBy: 'sweep',
    });
    expect(closed).toMatchObject({ won: true, row: { state: 'COMPLETED', closedBy: 'sweep', code: null } });
    const lines = await service.db.ledgerLine.findMany({
      where: { generationId: id, kind: { in: ['SETTLE', 'REFUND'] } },
    });
    expect(lines.map(({ kind, amountMicros }) => [kind, -amountMicros])).toEqual([
      ['SETTLE', closed.row.costMicros],
    ]);
    expect(await bookFaults(service)).toEqual([]);
  },
);
