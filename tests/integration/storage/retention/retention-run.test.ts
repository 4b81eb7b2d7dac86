import { describe, expect, it } from 'vitest';
import { planRetention } from '#lib/storage/retention/plan-retention.ts';
import { runRetention } from '#lib/storage/retention/run-retention.ts';
import {
  addAsset,
  addUpload,
  auditsOf,
  DAY_MS,
  night,
  quietFilesScene,
} from '#tests/factories/files/files.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

describe('the nightly pass', () => {
  it('stops after its time and resumes where it was, without starting again', async () => {
    const s = await quietFilesScene(service);
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
    const s = await quietFilesScene(service);
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
    const s = await quietFilesScene(service);
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
    const s = await quietFilesScene(service);
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
});
