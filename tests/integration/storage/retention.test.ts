import { describe, expect, it } from 'vitest';
import { deleteAvatar, saveAvatar } from '#lib/storage/assets/avatars.ts';
import { keepCaptureRush } from '#lib/storage/assets/capture-rushes.ts';
import { attachToConcept, attachToNewConcept } from '#lib/storage/assets/concepts.ts';
import { addLesson } from '#lib/storage/assets/lessons.ts';
import { readFileRetention } from '#lib/storage/assets/read-file-retention.ts';
import { reviewAsset } from '#lib/storage/assets/review-asset.ts';
import { eraseExpiredBinned } from '#lib/storage/bin/erase-expired-binned.ts';
import { OWNER_MARK } from '#lib/storage/pathnames.ts';
import { planRetention } from '#lib/storage/retention/plan-retention.ts';
import { runRetention } from '#lib/storage/retention/run-retention.ts';
import { listUploads } from '#lib/storage/uploads/list-uploads.ts';
import { addConcept } from '#tests/factories/files/concept.ts';
import {
  addAsset,
  addGeneration,
  addUpload,
  auditsOf,
  DAY_MS,
  type FilesScene,
  filesScene,
  night,
  putOld,
  quietFilesScene,
} from '#tests/factories/files/files.ts';
import type { MemoryStore } from '#tests/factories/memory-store.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { takenInOrder } from '#tests/factories/statements/taken-in-order.ts';
import { untilBlocked } from '#tests/factories/statements/until-blocked.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const elsewhere = useTestService();
const scene = () => quietFilesScene(service);

/** Its store says whose it is, as those do that a second database can reach. */
async function markedScene(): Promise<FilesScene> {
  const s = await scene();
  s.store.ownerMark = OWNER_MARK;
  return s;
}

/** Another database that was given the same store. */
async function besideOn(store: MemoryStore): Promise<FilesScene> {
  return { ...(await filesScene(elsewhere, { store })), store };
}

describe('the nightly pass', () => {
  it('deletes what nobody keeps, keeps the rest, and says why each file stayed', async () => {
    const s = await scene();
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

  it('and who deletes the files of the same generation never each hold what the other waits for', async () => {
    const s = await scene();
    const old = await addAsset(s, { ageDays: 31 });
    const other = await service.pool.connect();
    try {
      await other.query('begin');
      await other.query('select "id" from "Generation" where "id" = $1 for update', [old.generationId]);
      const pass = night(s);
      await untilBlocked(service);
      // What the gesture changes next.
      await other.query('update "Asset" set "updatedAt" = now() where "id" = $1', [old.id]);
      await other.query('commit');
      expect((await pass).assets.expired).toBe(1);
    } finally {
      other.release();
    }
  });

  it.each([
    ['Asset', addAsset],
    ['Upload', addUpload],
  ] as const)('claims files (%s) in the order in which requests touch them', async (table, add) => {
    const s = await scene();
    const last = await add(s, { ageDays: 31 });
    const first = await add(s, { ageDays: 32 });
    const report = await takenInOrder(service, { table, ids: [first.id, last.id] }, () => night(s));
    expect(report.files.removed).toBe(2);
  });

  it.each([
    ['Asset', addAsset, 'usedAt'],
    ['Upload', addUpload, 'touchedAt'],
  ] as const)('leaves a file (%s) that a request takes once it was looked at', async (table, add, column) => {
    const s = await scene();
    const file = await add(s, { ageDays: 31 });
    const label = table === 'Asset' ? 'retention.claim' : 'retention.claim_uploads';
    let taken = 0;
    const kysely = interceptedQueries(service.pool, {
      async before(statement) {
        if (statement.label !== label || taken > 0) return;
        const sql = `UPDATE "${table}" SET "${column}" = $2 WHERE "id" = $1`;
        taken += (await service.pool.query(sql, [file.id, s.clock.now()])).rowCount ?? 0;
      },
    });
    const report = await night({ ...s, cron: { ...s.cron, kysely } });
    expect([taken, report.files.removed]).toEqual([1, 0]);
    expect(report.assets.kept['in-flight']).toBe(table === 'Asset' ? 1 : 0);
    expect(s.store.files.has(file.pathname)).toBe(true);
  });

  it('keeps a whole lineage for one approved file of it, and a whole render for one approved file', async () => {
    const s = await scene();
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
    const s = await scene();
    const root = await addGeneration(s, { ageDays: 60 });
    const child = await addGeneration(s, { ageDays: 50, ancestorId: root });
    const render = await addGeneration(s, { ageDays: 50, kind: 'RENDER' });
    const first = await addAsset(s, { ageDays: 60, generationId: null, pathname: 'imports/premier.png' });
    const approved = [
      await addAsset(s, { ageDays: 50, generationId: child, state: 'APPROVED' }),
      await addAsset(s, { ageDays: 50, generationId: render, state: 'APPROVED' }),
      await addAsset(s, {
        ...{ ageDays: 50, generationId: null, state: 'APPROVED' },
        ...{ ancestorId: first.id, pathname: 'imports/second.png' },
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
    const s = await scene();
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
    const s = await scene();
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

  it('deletes old objects that no row names, in its five folders and never under avatars/', async () => {
    const s = await scene();
    const at = new Date(s.clock.now().getTime() - 31 * DAY_MS);
    const dead = await addGeneration(s, { ageDays: 40, state: 'FAILED' });
    const other = await filesScene(service);
    const theirs = await addGeneration(other, { ageDays: 40, state: 'FAILED' });
    const orphans = [
      `generations/${dead}/reste.png`,
      'products/ancien/x.png',
      'references/libre/perdu.mp4',
      'imports/acc/perdu.zip',
      'exports/acc/exp_a/000000',
    ];
    const kept = ['avatars/acc/visage.png', 'libre/x.png', 'products/ancien/recent.png'];
    const foreign = `generations/${theirs}/reste.png`;
    for (const pathname of [foreign, ...orphans, ...kept])
      await putOld(s, pathname, Buffer.from(pathname), at);
    await putOld(s, 'products/ancien/recent.png', Buffer.from('r'), s.clock.now());
    const artifact = `products/ancien/artefact.png`;
    await addGeneration(s, { ageDays: 40, artifacts: [{ pathname: artifact }] });
    await putOld(s, artifact, Buffer.from('a'), at);
    const report = await night(s);
    expect(report.orphans).toEqual({ scanned: 8, expired: 6, failed: 0 });
    expect([...s.store.files.keys()].sort()).toEqual([...kept, artifact].sort());
    const isOwn = ({ accountId }: { accountId: string | null }) => accountId !== other.owner.accountId;
    const entries = await service.db.auditEntry.findMany({
      where: { requestId: s.cron.requestId, action: 'generation.files_expired' },
      orderBy: { id: 'asc' },
    });
    // Each account is told of its own, and of no other’s.
    const [own, others] = [entries.filter(isOwn), entries.filter((entry) => !isOwn(entry))];
    expect(others.map((entry) => [entry.accountId, entry.data])).toEqual([
      [other.owner.accountId, { by: 'orphan-scan', folder: 'generations/', pathnames: [foreign] }],
    ]);
    expect(own.map((entry) => [entry.accountId, entry.data])).toEqual([
      [s.owner.accountId, { by: 'orphan-scan', folder: 'generations/', pathnames: [orphans[0]] }],
      [null, { by: 'orphan-scan', folder: 'products/', pathnames: [orphans[1]] }],
      [null, { by: 'orphan-scan', folder: 'references/', pathnames: [orphans[2]] }],
      [null, { by: 'orphan-scan', folder: 'imports/', pathnames: [orphans[3]] }],
      [null, { by: 'orphan-scan', folder: 'exports/', pathnames: [orphans[4]] }],
    ]);
  });

  it('keeps an object whose age the store does not say, in the plan as in the pass', async () => {
    const s = await scene();
    const pathname = 'products/ancien/sans-date.png';
    await putOld(s, pathname, Buffer.from('x'), new Date(s.clock.now().getTime() - 40 * DAY_MS));
    const { list } = s.store;
    s.store.list = async (asked) => {
      const page = await list(asked);
      return { ...page, files: page.files.map((file) => ({ ...file, uploadedAt: null })) };
    };
    expect(await planRetention(s.cron)).toMatchObject({ orphans: { scanned: 1, expired: 0 } });
    expect(await night(s)).toMatchObject({ orphans: { scanned: 1, expired: 0 }, complete: true });
    expect([...s.store.files.keys()]).toEqual([pathname]);
  });

  it('deletes every old object that no row names, were they nearly all that the store holds', async () => {
    const s = await markedScene();
    const at = new Date(s.clock.now().getTime() - 40 * DAY_MS);
    for (let n = 0; n < 2_000; n += 1)
      await putOld(s, `generations/gen_perdu/${n}.png`, Buffer.from(`${n}`), at);
    const kept = await addAsset(s, { ageDays: 40, state: 'APPROVED' });
    const report = await night(s, { page: 500 });
    expect(report.orphans).toEqual({ scanned: 2_001, expired: 2_000, failed: 0 });
    expect(report).toMatchObject({ complete: true });
    expect([...s.store.files.keys()].sort()).toEqual([OWNER_MARK, kept.pathname]);
  });

  it('marks a store once, with the identifier of its database and nothing else, and then reads the mark once a night', async () => {
    const s = await markedScene();
    const { read } = s.store;
    const asked: string[] = [];
    s.store.read = (pathname, options) => {
      asked.push(pathname);
      return read(pathname, options);
    };
    expect(await night(s)).toMatchObject({ complete: true });
    const mark = s.store.files.get(OWNER_MARK);
    const { cursor } = await service.db.cronCursor.findUniqueOrThrow({ where: { job: 'store' } });
    expect(cursor).toEqual({ id: expect.stringMatching(/^[0-9a-f]{32}$/) });
    const { id } = cursor as { id: string };
    expect(new TextDecoder().decode(mark?.content)).toBe(JSON.stringify({ database: id }));
    asked.length = 0;
    expect(await night(s)).toMatchObject({ complete: true });
    expect(asked).toEqual([OWNER_MARK]);
    expect(s.store.files.get(OWNER_MARK)).toBe(mark);
  });

  it('deletes no object of a store that another database marked, night after night, until somebody takes it over', async () => {
    const s = await markedScene();
    const named = await addAsset(s, { ageDays: 40, state: 'APPROVED' });
    expect(await night(s)).toMatchObject({ complete: true });
    const other = await besideOn(s.store);
    for (const ageDays of [40, 41]) {
      const own = await addAsset(other, { ageDays });
      // Files of rows go, each night anew.
      expect(await night(other)).toMatchObject({
        assets: { expired: 1 },
        orphans: { scanned: 0, expired: 0 },
        orphansRefused: true,
        complete: false,
      });
      expect(s.store.files.has(own.pathname)).toBe(false);
    }
    expect(s.store.files.has(named.pathname)).toBe(true);
    const refused = (lines: FilesScene['lines']) =>
      lines.filter((line) => line.event === 'retention.orphans_refused').map(({ level }) => level);
    expect([refused(s.lines), refused(other.lines)]).toEqual([[], ['error', 'error']]);

    const taken = await night(other, { ownStore: true });
    expect(taken).toMatchObject({ orphans: { scanned: 1, expired: 1 }, complete: true });
    expect(taken.orphansRefused).toBeUndefined();
    expect([...s.store.files.keys()]).toEqual([OWNER_MARK]);
    // It is that one's from then on.
    expect((await night(other)).orphansRefused).toBeUndefined();
    expect(await night(s)).toMatchObject({ orphansRefused: true, complete: false });
  });

  it('of two databases that meet a store without a mark at once, one marks it and the other deletes nothing', async () => {
    const s = await markedScene();
    const other = await besideOn(s.store);
    const at = new Date(s.clock.now().getTime() - 40 * DAY_MS);
    await putOld(s, 'products/p/a.png', Buffer.from('a'), at);
    // Neither writes before both have seen that there is none.
    const { read } = s.store;
    const both = Promise.withResolvers<void>();
    let seen = 0;
    s.store.read = async (pathname, options) => {
      const found = await read(pathname, options);
      if (found === null) {
        seen += 1;
        if (seen === 2) both.resolve();
        await both.promise;
      }
      return found;
    };
    const reports = await Promise.all([night(s), night(other)]);
    expect(seen).toBe(2);
    const refused = reports.filter((report) => report.orphansRefused);
    expect(refused).toEqual([expect.objectContaining({ orphans: { scanned: 0, expired: 0, failed: 0 } })]);
    const deleted = reports.filter((report) => !report.orphansRefused);
    expect(deleted).toEqual([expect.objectContaining({ complete: true })]);
    expect(deleted[0]?.orphans).toEqual({ scanned: 1, expired: 1, failed: 0 });
  });

  it('keeps a file that changed between decision and deletion, and finds it alive the next night', async () => {
    const s = await scene();
    const file = await addAsset(s, { ageDays: 31 });
    const upload = await addUpload(s, { ageDays: 31 });
    for (const { pathname } of [file, upload])
      await putOld(s, pathname, Buffer.from('other bytes'), s.clock.now());
    expect(await night(s)).toMatchObject({ assets: { expired: 0, kept: { changed: 1 } }, uploads: 0 });
    expect(s.store.files.size).toBe(2);
    const row = await service.db.asset.findUniqueOrThrow({ where: { id: file.id } });
    expect(row).toMatchObject({ deletedAt: null, expiringAt: null });
    await reviewAsset(s.ctx, { assetId: file.id, review: 'approve' });
    const { uploads } = await listUploads(s.ctx);
    expect(uploads.map(({ id }) => id)).toEqual([upload.id]);
  });

  it('stops after its time and resumes where it was, without starting again', async () => {
    const s = await scene();
    for (let n = 0; n < 7; n += 1) await addAsset(s, { ageDays: 40 });
    await addUpload(s, { ageDays: 40 });
    let ms = 0;
    const remove = s.store.delete;
    s.store.delete = (...args) => {
      ms += 60_000;
      return remove(...args);
    };
    const options = { elapsedMs: () => ms };
    const reports = [];
    for (let n = 0; n < 10 && reports.at(-1)?.complete !== true; n += 1) {
      reports.push(await night(s, options));
      s.clock.advance(DAY_MS);
    }
    expect(reports.map((report) => report.complete)).toEqual([false, false, true]);
    expect(reports.reduce((sum, report) => sum + report.assets.expired, 0)).toBe(7);
    expect(reports.reduce((sum, report) => sum + report.uploads, 0)).toBe(1);
    expect((await auditsOf(s, 'generation.files_expired')).length).toBe(7);
  });

  it('says in its run, from its beginning, that somebody asked for it by hand', async () => {
    const s = await scene();
    await service.pool.query('DELETE FROM "CronRun"');
    await addAsset(s, { ageDays: 40 });
    const runs = () => service.db.cronRun.findMany({ select: { finishedAt: true, report: true } });
    const remove = s.store.delete;
    const during: unknown[] = [];
    s.store.delete = async (...args) => {
      during.push(...(await runs()));
      return remove(...args);
    };
    const report = await night({ ...s, cron: { ...s.cron, actor: { type: 'admin' } } });
    expect(report).toMatchObject({ byHand: true, assets: { expired: 1 }, complete: true });
    expect(during).toEqual([{ finishedAt: null, report: { byHand: true } }]);
    expect(await runs()).toEqual([{ finishedAt: expect.any(Date), report }]);
  });

  it('touches nothing without a store, and never runs twice at once', async () => {
    const s = await scene();
    await addAsset(s, { ageDays: 40 });
    const bare = { ...s.cron, files: { ...s.cron.files, store: null } };
    expect(await runRetention(bare)).toEqual({ skipped: 'no-blob-store' });
    expect(await planRetention(bare)).toEqual({ skipped: 'no-blob-store' });
    // The second comes while the first is deleting.
    const remove = s.store.delete;
    const second: unknown[] = [];
    s.store.delete = async (...args) => {
      second.push(await runRetention(s.cron));
      return remove(...args);
    };
    expect(await night(s)).toMatchObject({ assets: { expired: 1 }, complete: true });
    expect(second).toEqual([{ skipped: 'already-running' }]);
    expect(s.store.files.size).toBe(0);
  });

  it('begins nothing more once its lease is over, as on a machine that slept, and does not give away that of the pass after it', async () => {
    const s = await scene();
    for (let n = 0; n < 3; n += 1) await addAsset(s, { ageDays: 40 });
    const remove = s.store.delete;
    const others: ReturnType<typeof night>[] = [];
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    s.store.delete = async (...args) => {
      if (others.length === 0) {
        s.clock.advance(10 * 60_000);
        others.push(night(s, { batch: 1 }));
        await begun.promise;
      } else {
        begun.resolve();
        await ended.promise;
      }
      return remove(...args);
    };
    expect(await night(s, { batch: 1 })).toMatchObject({ assets: { expired: 1 }, complete: false });
    expect(await runRetention(s.cron)).toEqual({ skipped: 'already-running' });
    ended.resolve();
    expect(await others[0]).toMatchObject({ assets: { expired: 2 }, complete: true });
    expect(await auditsOf(s, 'generation.files_expired')).toHaveLength(3);
    expect(s.store.files.size).toBe(0);
  });

  it('plans what it then does, file by file', async () => {
    const s = await scene();
    const expired = await addAsset(s, { ageDays: 31 });
    const kept = await addAsset(s, { ageDays: 31 });
    const avatar = await saveAvatar(s.ctx, { assetId: kept.id, name: 'Camille' });
    const upload = await addUpload(s, { ageDays: 31 });
    const at = new Date(s.clock.now().getTime() - 31 * DAY_MS);
    await putOld(s, 'products/p/a.png', Buffer.from('a'), at);
    const planned: string[] = [];
    const plan = await planRetention(s.cron, (file) => planned.push(`${file.why} ${file.pathname}`));
    expect(planned).toEqual([
      `expired ${expired.pathname}`,
      `untouched ${upload.pathname}`,
      'orphan products/p/a.png',
    ]);
    expect(plan).toMatchObject({ files: { wouldRemove: 3 }, assets: { expired: 1, kept: { avatar: 1 } } });
    expect(s.store.files.size).toBe(4);
    const report = await night(s);
    expect(report).toMatchObject({ assets: { expired: 1 }, uploads: 1, orphans: { expired: 1 } });
    // Deleting an avatar deletes no file; the night that takes it out of the bin does.
    await deleteAvatar(s.ctx, { avatarId: avatar.id });
    expect(s.store.files.has(kept.pathname)).toBe(true);
    s.clock.advance(DAY_MS);
    expect(await night(s)).toMatchObject({ assets: { expired: 0, kept: { avatar: 1 } } });
    s.clock.advance(30 * DAY_MS);
    await eraseExpiredBinned(s.cron);
    expect(await night(s)).toMatchObject({ assets: { expired: 1 } });
  });

  it('plans no file that changed since it was recorded, nor what was claimed and is kept by now', async () => {
    const s = await scene();
    const at = new Date(s.clock.now().getTime() - 31 * DAY_MS);
    const changed = await addAsset(s, { ageDays: 31 });
    await putOld(s, changed.pathname, Buffer.from('other bytes'), at);
    const changedUpload = await addUpload(s, { ageDays: 31 });
    await putOld(s, changedUpload.pathname, Buffer.from('other bytes'), at);
    const claimed = [];
    for (const state of ['APPROVED', 'GENERATED', 'GENERATED'] as const)
      claimed.push(await addAsset(s, { ageDays: 31, state }));
    const [kept, unfinished, changedToo] = claimed;
    // Kept by now, and an earlier pass had deleted its bytes.
    const halfGone = await addAsset(s, { ageDays: 31, state: 'APPROVED', withoutBytes: true });
    claimed.push(halfGone);
    await service.db.asset.updateMany({
      where: { id: { in: claimed.map(({ id }) => id) } },
      data: { expiringAt: at },
    });
    await putOld(s, changedToo?.pathname ?? '', Buffer.from('other bytes'), at);
    const lost = await addAsset(s, { ageDays: 31, withoutBytes: true });
    const planned: string[] = [];
    const plan = await planRetention(s.cron, (file) => planned.push(`${file.why} ${file.pathname}`));
    expect(planned.sort()).toEqual(
      [
        `expired ${lost.pathname}`,
        `unfinished ${unfinished?.pathname}`,
        `unfinished ${halfGone.pathname}`,
      ].sort(),
    );
    const report = await night(s);
    expect(s.store.files.has(kept?.pathname ?? '')).toBe(true);
    expect(report.assets).toMatchObject({ expired: 3, kept: { changed: 2 } });
    const row = await service.db.asset.findUniqueOrThrow({ where: { id: halfGone.id } });
    expect(row.deletedBy).toBe('retention');
    expect(plan).toMatchObject({ assets: report.assets, uploads: report.uploads, orphans: report.orphans });
  });

  const CLAIMS = new Set(['retention.claim', 'retention.claim_uploads']);
  const keepers: [
    what: string,
    add: typeof addAsset | typeof addUpload,
    keep: (s: FilesScene, file: { id: string }) => Promise<unknown>,
  ][] = [
    ['an avatar', addAsset, (s, { id }) => saveAvatar(s.ctx, { assetId: id, name: 'Camille' })],
    ['a lesson', addAsset, (s, { id }) => addLesson(s.ctx, { assetId: id, text: 'Moins de contraste.' })],
    [
      'a new concept',
      addAsset,
      (s, { id }) => attachToNewConcept(s.ctx, { assetId: id, productId: 'libre', name: 'Automne' }),
    ],
    [
      'a concept that is there',
      addAsset,
      async (s, { id }) => {
        const { id: conceptId } = await addConcept(s.ctx, { productId: 'libre', name: 'Hiver' });
        return attachToConcept(s.ctx, { assetId: id, conceptId });
      },
    ],
    ['an approval', addAsset, (s, { id }) => reviewAsset(s.ctx, { assetId: id, review: 'approve' })],
    ['a rush', addUpload, (s, { id }) => keepCaptureRush(s.ctx, { uploadId: id, title: 'Atelier, matin' })],
  ];
  it.each(keepers)(
    'who keeps a file (%s) while the night decides about it waits, and finds it gone',
    async (_, add, keep) => {
      const s = await scene();
      const file = await add(s, { ageDays: 31 });
      const keeping: Promise<string>[] = [];
      const kysely = interceptedQueries(service.pool, {
        async before({ label }) {
          if (!CLAIMS.has(label) || keeping.length > 0) return;
          keeping.push(
            keep(s, file).then(
              () => 'kept',
              ({ code }) => code,
            ),
          );
          await Promise.race([untilBlocked(service), ...keeping]);
        },
      });
      const report = await night({ ...s, cron: { ...s.cron, kysely } });
      expect(await Promise.all(keeping)).toEqual(['not_found']);
      expect(report.files.removed).toBe(1);
    },
  );

  it('never lets a file be kept and deleted at once', async () => {
    const s = await scene();
    const files = [];
    for (let n = 0; n < 60; n += 1) files.push(await addAsset(s, { ageDays: 40 }));
    const keep = async ({ id }: { id: string }, n: number): Promise<string> => {
      try {
        await (n % 2
          ? reviewAsset(s.ctx, { assetId: id, review: 'approve' })
          : saveAvatar(s.ctx, { assetId: id, name: 'Visage' }));
        return 'kept';
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    // Ten before the night, the others while the files of its first decision go: it decides about ten at a time.
    const before = await Promise.all(files.slice(0, 10).map(keep));
    const deleting = Promise.withResolvers<void>();
    const { delete: remove } = s.store;
    s.store.delete = (...asked) => {
      deleting.resolve();
      return remove(...asked);
    };
    const [report, ...meanwhile] = await Promise.all([
      night(s, { batch: 10 }).finally(() => deleting.resolve()),
      ...files.slice(10).map(async (file, n) => {
        await deleting.promise;
        await new Promise((done) => setTimeout(done, n % 7));
        return keep(file, n);
      }),
    ]);
    const outcomes = [...before, ...meanwhile];
    expect(new Set(outcomes)).toEqual(new Set(['kept', 'not_found']));
    for (const [n, file] of files.entries())
      expect(s.store.files.has(file.pathname), `file ${n}`).toBe(outcomes[n] === 'kept');
    expect(report.assets.expired).toBe(outcomes.filter((outcome) => outcome !== 'kept').length);
  });
});
