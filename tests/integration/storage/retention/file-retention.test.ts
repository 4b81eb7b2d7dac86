import { describe, expect, it } from 'vitest';
import { saveAvatar } from '#lib/storage/assets/avatars.ts';
import { keepCaptureRush } from '#lib/storage/assets/capture-rushes.ts';
import { attachToConcept } from '#lib/storage/assets/concepts.ts';
import { addLesson } from '#lib/storage/assets/lessons.ts';
import { readFileRetention } from '#lib/storage/assets/read-file-retention.ts';
import { reviewAsset } from '#lib/storage/assets/review-asset.ts';
import { addConcept } from '#tests/factories/files/concept.ts';
import {
  addAsset,
  addGeneration,
  addUpload,
  auditsOf,
  DAY_MS,
  night,
  putOld,
  quietFilesScene,
} from '#tests/factories/files/files.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

describe('the nightly pass', () => {
  it('deletes what nobody keeps, keeps the rest, and says why each file stayed', async () => {
    const s = await quietFilesScene(service);
    const old = await addAsset(s, { ageDays: 31 });
    const rejected = await addAsset(s, { ageDays: 31, state: 'REJECTED' });
    const recent = await addAsset(s, { ageDays: 29 });
    const atTheEdge = await addAsset(s, { ageDays: 30 });
    const approved = await addAsset(s, { ageDays: 100, state: 'APPROVED' });
    const delivered = await addAsset(s, { ageDays: 100, state: 'DELIVERED' });
    const justApproved = await addAsset(s, { ageDays: 30, state: 'APPROVED' });
    const face = await addAsset(s, { ageDays: 40 });
    await saveAvatar(s.ctx, { assetId: face.id, name: 'Camille' });
    const lesson = await addAsset(s, { ageDays: 40 });
    await addLesson(s.ctx, { assetId: lesson.id, text: 'Lumière trop dure.' });
    const idea = await addAsset(s, { ageDays: 40 });
    const concept = await addConcept(s.ctx, { productId: 'libre', name: 'Automne' });
    await attachToConcept(s.ctx, { conceptId: concept.id, assetId: idea.id });
    const imported = await addAsset(s, { ageDays: 400, generationId: null, imported: true });
    const report = await night(s);
    expect(report).toEqual({
      assets: {
        expired: 2,
        kept: {
          recent: 3,
          status: 2,
          avatar: 1,
          learning: 1,
          concept: 1,
          lineage: 0,
          'in-flight': 0,
          sibling: 0,
          'foreign-store': 1,
          changed: 0,
        },
      },
      uploads: 0,
      files: { removed: 2, failed: 0 },
      orphans: { scanned: 9, expired: 0, failed: 0 },
      complete: true,
    });
    for (const gone of [old, rejected]) expect(s.store.files.has(gone.pathname)).toBe(false);
    const kept = [recent, atTheEdge, approved, delivered, justApproved, face, lesson, idea, imported];
    for (const { pathname } of kept) expect(s.store.files.has(pathname)).toBe(true);
    const row = await service.db.generation.findUniqueOrThrow({ where: { id: old.generationId ?? '' } });
    expect(row).toMatchObject({
      statusKey: 'deleted',
      filesDeletedBy: 'retention',
      costMicros: 42_000n,
      params: { brief: 'essai' },
    });
    const audits = await auditsOf(s, 'generation.files_expired');
    expect(audits.map((entry) => entry.data)).toEqual(
      [old, rejected].map(({ id, pathname }) => ({ assetIds: [id], pathnames: [pathname] })),
    );
    expect(s.lines.find((line) => line.event === 'cron.retention.done')).toMatchObject({
      assetsExpired: 2,
      complete: true,
    });
    const run = await service.db.cronRun.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(run).toMatchObject({ job: 'retention', complete: true, report });
  });

  it('keeps a whole lineage for one approved file of it, and a whole render for one approved file', async () => {
    const s = await quietFilesScene(service);
    const root = await addGeneration(s, { ageDays: 60 });
    const [left, right] = [
      await addGeneration(s, { ageDays: 50, ancestorId: root }),
      await addGeneration(s, { ageDays: 50, ancestorId: root }),
    ];
    const leaf = await addGeneration(s, { ageDays: 40, ancestorId: left });
    const files = [];
    for (const generationId of [root, left, right, leaf])
      files.push(await addAsset(s, { ageDays: 40, generationId }));
    const delivered = await addGeneration(s, { ageDays: 60 });
    await addAsset(s, { ageDays: 40, generationId: delivered, state: 'DELIVERED' });
    const child = await addGeneration(s, { ageDays: 50, ancestorId: delivered });
    const descendant = await addAsset(s, { ageDays: 40, generationId: child });
    const render = await addGeneration(s, { ageDays: 40, kind: 'RENDER' });
    const [page1, page2] = [
      await addAsset(s, { ageDays: 40, generationId: render, state: 'APPROVED' }),
      await addAsset(s, { ageDays: 40, generationId: render }),
    ];
    await reviewAsset(s.ctx, { assetId: files[3]?.id ?? '', review: 'approve' });
    const first = await night(s);
    expect(first.assets).toMatchObject({ expired: 0, kept: { lineage: 4, sibling: 1, status: 3 } });
    const [retention] = await readFileRetention(s.ctx, { assetIds: [files[0]?.id ?? ''] });
    expect(retention).toMatchObject({ keptBecause: 'lineage', expiresAt: null });
    // The one that kept the others is rejected: nothing keeps them any more.
    await reviewAsset(s.ctx, { assetId: files[3]?.id ?? '', review: 'reject', reason: 'Hors charte' });
    await reviewAsset(s.ctx, { assetId: page1.id, review: 'reject', reason: 'Hors charte' });
    s.clock.advance(DAY_MS);
    expect((await night(s)).assets).toMatchObject({ expired: 6 });
    expect(s.store.files.has(page2.pathname)).toBe(false);
    expect(s.store.files.has(descendant.pathname)).toBe(true);
  });

  it('keeps nothing for an approved file that is gone itself, as by the purge of its product', async () => {
    const s = await quietFilesScene(service);
    const root = await addGeneration(s, { ageDays: 60 });
    const child = await addGeneration(s, { ageDays: 50, ancestorId: root });
    const render = await addGeneration(s, { ageDays: 50, kind: 'RENDER' });
    const first = await addAsset(s, { ageDays: 60, generationId: null, pathname: 'imports/premier.png' });
    const approved = [
      await addAsset(s, { ageDays: 50, generationId: child, state: 'APPROVED' }),
      await addAsset(s, { ageDays: 50, generationId: render, state: 'APPROVED' }),
      await addAsset(s, {
        ageDays: 50,
        generationId: null,
        state: 'APPROVED',
        ancestorId: first.id,
        pathname: 'imports/second.png',
      }),
    ];
    const others = [
      first,
      await addAsset(s, { ageDays: 60, generationId: root }),
      await addAsset(s, { ageDays: 50, generationId: render }),
    ];
    expect((await night(s)).assets).toMatchObject({ expired: 0, kept: { lineage: 2, sibling: 1 } });
    await service.db.asset.updateMany({
      where: { id: { in: approved.map(({ id }) => id) } },
      data: { deletedAt: s.clock.now(), deletedBy: 'purge' },
    });
    s.clock.advance(DAY_MS);
    expect((await night(s)).assets).toMatchObject({ expired: 3 });
    for (const { pathname } of others) expect(s.store.files.has(pathname)).toBe(false);
  });

  it('keeps what a running generation reads or writes, and its voice', async () => {
    const s = await quietFilesScene(service);
    const read = await addAsset(s, { ageDays: 40 });
    const upload = await addUpload(s, { ageDays: 40 });
    const voice = await addAsset(s, { ageDays: 40, type: 'AUDIO' });
    const running = await addGeneration(s, {
      kind: 'LIPSYNC',
      state: 'SUBMITTED',
      references: {
        roles: {
          // Rows of long ago name a file by one or the other.
          character: [{ ref: read.id }],
          clips: [{ pathname: upload.pathname }],
        },
        voiceGenerationId: voice.generationId,
      },
    });
    const written = `generations/${running}/en-cours.mp4`;
    await putOld(s, written, Buffer.from('x'), new Date(s.clock.now().getTime() - 40 * DAY_MS));
    const report = await night(s);
    expect(report.assets).toMatchObject({ expired: 0, kept: { 'in-flight': 2 } });
    expect(report).toMatchObject({ uploads: 0, orphans: { expired: 0 } });
    await service.pool.query(
      `UPDATE "Generation" SET "state" = 'FAILED', "code" = 'video_timeout', "closedAt" = now() WHERE "id" = $1`,
      [running],
    );
    s.clock.advance(DAY_MS);
    const after = await night(s);
    expect(after).toMatchObject({ assets: { expired: 2 }, uploads: 1, orphans: { expired: 1 } });
    expect(s.store.files.size).toBe(0);
  });

  it('lets go of uploads that nobody touched, not of those that a rush holds', async () => {
    const s = await quietFilesScene(service);
    const forgotten = await addUpload(s, { ageDays: 31 });
    const touched = await addUpload(s, { ageDays: 31 });
    await service.pool.query(`UPDATE "Upload" SET "touchedAt" = $2 WHERE "id" = $1`, [
      touched.id,
      new Date(s.clock.now().getTime() - DAY_MS),
    ]);
    const rush = await addUpload(s, { ageDays: 31 });
    await keepCaptureRush(s.ctx, { uploadId: rush.id, title: 'Atelier, matin' });
    s.clock.advance(29 * DAY_MS);
    await service.pool.query(`UPDATE "Upload" SET "touchedAt" = $2 WHERE "id" = $1`, [
      touched.id,
      s.clock.now(),
    ]);
    s.clock.advance(5 * DAY_MS);
    const report = await night(s);
    expect(report).toMatchObject({ uploads: 1, files: { removed: 1 }, orphans: { expired: 0 } });
    expect([...s.store.files.keys()].sort()).toEqual([rush.pathname, touched.pathname].sort());
    const [entry] = await auditsOf(s, 'reference.expired');
    expect(entry).toMatchObject({ subjectId: forgotten.id, data: { pathname: forgotten.pathname } });
  });
});
