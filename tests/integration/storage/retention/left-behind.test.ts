import { expect, it } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { readFileRetention } from '#lib/storage/assets/read-file-retention.ts';
import { thumbnailPathname } from '#lib/storage/pathnames.ts';
import { planRetention } from '#lib/storage/retention/plan-retention.ts';
import {
  addAsset,
  addGeneration,
  addUpload,
  DAY_MS,
  type FilesScene,
  night,
  putOld,
  quietFilesScene,
} from '#tests/factories/files/files.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

/** Bytes that have lain there for forty days. */
const lieThere = (s: FilesScene, pathname: string) =>
  putOld(s, pathname, Buffer.from(pathname), new Date(s.clock.now().getTime() - 40 * DAY_MS));

it('what a purge cleared keeps nothing: bytes under the name of such a rush are nobody’s', async () => {
  const s = await quietFilesScene(service);
  const at = s.clock.now();
  const rush = (pathname: string, clearedAt: Date | null) =>
    service.db.captureRush.create({
      data: {
        id: createId('rush', at),
        ...s.owner,
        productId: 'ancien',
        title: 'Matin',
        pathname,
        contentType: 'video/mp4',
        bytes: 1n,
        createdAt: at,
        clearedAt,
      },
    });
  const [cleared, kept] = ['products/ancien/effacé.mp4', 'products/ancien/gardé.mp4'] as const;
  await rush(cleared, at);
  await rush(kept, null);
  for (const pathname of [cleared, kept]) await lieThere(s, pathname);
  expect((await night(s)).orphans).toMatchObject({ scanned: 2, expired: 1 });
  expect([...s.store.files.keys()]).toEqual([kept]);
});

it('a thumbnail that no file has recorded is nobody’s, even beside a file that is kept', async () => {
  const s = await quietFilesScene(service);
  const [without, having] = [
    await addAsset(s, { ageDays: 40, state: 'APPROVED' }),
    await addAsset(s, { ageDays: 40, state: 'APPROVED' }),
  ];
  const data = { thumbnail: '"t"', thumbnailAt: s.clock.now() };
  await service.db.asset.update({ where: { id: having.id }, data });
  for (const { pathname } of [without, having]) await lieThere(s, thumbnailPathname(pathname));
  expect((await night(s)).orphans).toMatchObject({ expired: 1, failed: 0 });
  expect([...s.store.files.keys()].sort()).toEqual(
    [without.pathname, having.pathname, thumbnailPathname(having.pathname)].sort(),
  );
});

it('an artifact whose row has lost its files, or whose own file is gone, keeps no bytes any more', async () => {
  const s = await quietFilesScene(service);
  const emptied = 'products/ancien/vidé.png';
  const row = await addGeneration(s, { ageDays: 40, artifacts: [{ pathname: emptied }] });
  await service.pool.query(
    `UPDATE "Generation" SET "filesDeletedAt" = now(), "filesDeletedBy" = 'member' WHERE "id" = $1`,
    [row],
  );
  const [gone, left] = ['products/ancien/parti.png', 'products/ancien/resté.png'] as const;
  const generationId = await addGeneration(s, {
    ageDays: 40,
    artifacts: [{ pathname: gone }, { pathname: left }],
  });
  const file = await addAsset(s, { generationId, ageDays: 40, pathname: gone });
  await service.db.asset.update({
    where: { id: file.id },
    data: { deletedAt: s.clock.now(), deletedBy: 'retention' },
  });
  for (const pathname of [emptied, left]) await lieThere(s, pathname);
  expect((await night(s)).orphans).toMatchObject({ scanned: 3, expired: 2 });
  expect([...s.store.files.keys()]).toEqual([left]);
});

it('bytes that an upload left behind are audited in its account', async () => {
  const s = await quietFilesScene(service);
  const upload = await addUpload(s, { ageDays: 40 });
  await service.db.upload.update({
    where: { id: upload.id },
    data: { deletedAt: s.clock.now(), deletedBy: 'purge' },
  });
  expect((await night(s)).orphans).toMatchObject({ expired: 1 });
  const entries = await service.db.auditEntry.findMany({
    where: { requestId: s.cron.requestId, action: 'generation.files_expired' },
  });
  expect(entries.map(({ accountId, data }) => [accountId, data])).toEqual([
    [s.owner.accountId, { by: 'orphan-scan', folder: 'references/', pathnames: [upload.pathname] }],
  ]);
});

it('a file that a request took is kept for an hour, whichever of two instances’ clocks is ahead', async () => {
  const s = await quietFilesScene(service);
  const { id } = await addAsset(s, { ageDays: 40 });
  const because = async (minutes: number) => {
    const usedAt = new Date(s.clock.now().getTime() + minutes * 60_000);
    await service.db.asset.update({ where: { id }, data: { usedAt } });
    const planned = await planRetention(s.cron);
    const [file] = await readFileRetention(s.ctx, { assetIds: [id] });
    return [file?.keptBecause, 'assets' in planned && planned.assets.expired];
  };
  for (const minutes of [-60, -1, 1, 60]) expect(await because(minutes)).toEqual(['in-flight', 0]);
  for (const minutes of [-61, 61]) expect(await because(minutes)).toEqual([null, 1]);
});

it('a store that tells of nothing is not asked about each of the files that something keeps by now', async () => {
  const s = await quietFilesScene(service);
  for (let n = 0; n < 30; n += 1) {
    const { id } = await addAsset(s, { ageDays: 40, state: 'APPROVED' });
    await service.db.asset.update({ where: { id }, data: { expiringAt: s.clock.now() } });
  }
  let asked = 0;
  s.store.head = () => {
    asked += 1;
    return Promise.reject(new Error('503'));
  };
  expect(await night(s)).toMatchObject({ complete: false, assets: { expired: 0 } });
  expect(asked).toBe(25);
  // Told once, however many fail.
  expect(s.lines.filter(({ event }) => event === 'retention.head_failed')).toHaveLength(1);
});

it('a night that dies once bytes without a row are deleted has them audited by the next one', async () => {
  const s = await quietFilesScene(service);
  const pathname = 'products/ancien/perdu.png';
  await lieThere(s, pathname);
  const kysely = interceptedQueries(service.pool, {
    before({ label }) {
      if (label === 'retention.owners') throw new Error('the process died');
    },
  });
  await expect(night({ ...s, cron: { ...s.cron, kysely } })).rejects.toThrow('the process died');
  expect(s.store.files.size).toBe(0);
  s.clock.advance(DAY_MS);
  expect((await night(s)).orphans).toMatchObject({ expired: 1 });
  const entries = await service.db.auditEntry.findMany({
    where: { requestId: s.cron.requestId, action: 'generation.files_expired' },
  });
  expect(entries.map(({ data }) => data)).toEqual([
    { by: 'orphan-scan', folder: 'products/', pathnames: [pathname] },
  ]);
});

it('a file whose version was never recorded goes as it is seen, and stays when it is written again in that moment', async () => {
  const s = await quietFilesScene(service);
  const [quiet, written] = [
    await addAsset(s, { ageDays: 40, withoutEtag: true }),
    await addAsset(s, { ageDays: 40, withoutEtag: true }),
  ];
  const { head } = s.store;
  s.store.head = async (pathname) => {
    const seen = await head(pathname);
    if (pathname === written.pathname)
      await s.store.put(pathname, Buffer.from('written again'), { contentType: 'image/png' });
    return seen;
  };
  expect((await night(s)).assets).toMatchObject({ expired: 1, kept: { changed: 1 } });
  expect([...s.store.files.keys()]).toEqual([written.pathname]);
  expect(s.store.files.has(quiet.pathname)).toBe(false);
});

it('an upload that a running generation names by its identifier alone is kept as long as it runs', async () => {
  const s = await quietFilesScene(service);
  const upload = await addUpload(s, { ageDays: 40 });
  const running = await addGeneration(s, {
    kind: 'VIDEO',
    state: 'SUBMITTED',
    references: { roles: { clips: [{ ref: upload.id }] } },
  });
  expect(await night(s)).toMatchObject({ uploads: 0 });
  await service.pool.query(
    `UPDATE "Generation" SET "state" = 'FAILED', "code" = 'video_timeout', "closedAt" = now() WHERE "id" = $1`,
    [running],
  );
  s.clock.advance(DAY_MS);
  expect(await night(s)).toMatchObject({ uploads: 1 });
});

it('what the store refuses is audited as the night’s, and the run says when it ended', async () => {
  const s = await quietFilesScene(service);
  const upload = await addUpload(s, { ageDays: 40 });
  const begun = s.clock.now();
  s.store.delete = () => {
    s.clock.advance(5_000);
    return Promise.reject(new Error('503'));
  };
  await night(s);
  const entries = await service.db.auditEntry.findMany({
    where: { subjectId: upload.id, action: 'generation.files_delete_failed' },
  });
  expect(entries.map(({ data }) => data)).toEqual([{ by: 'retention', pathname: upload.pathname }]);
  const ended = new Date(begun.getTime() + 5_000);
  expect(await service.db.cronRun.count({ where: { startedAt: begun, finishedAt: ended } })).toBe(1);
});

it('a lease that ends later than any that is given was taken under a wrong clock, and stops no night', async () => {
  const s = await quietFilesScene(service);
  const held = async (untilMs: number) => {
    const leaseUntil = new Date(s.clock.now().getTime() + untilMs).toISOString();
    await service.db.cronCursor.deleteMany({ where: { job: 'retention' } });
    await service.db.cronCursor.create({
      data: { job: 'retention', cursor: { leaseUntil }, updatedAt: s.clock.now() },
    });
    return night(s).then(
      ({ complete }) => complete,
      (error: Error) => error.message,
    );
  };
  expect(await held(360_000)).toBe('skipped: already-running');
  expect(await held(360_001)).toBe(true);
});
