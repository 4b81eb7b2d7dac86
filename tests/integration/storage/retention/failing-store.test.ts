import { describe, expect, it } from 'vitest';
import { reviewAsset } from '#lib/storage/assets/review-asset.ts';
import { OWNER_MARK } from '#lib/storage/pathnames.ts';
import type { RetentionReport } from '#lib/storage/retention/report.ts';
import type { RetentionOptions } from '#lib/storage/retention/run-retention.ts';
import {
  addAsset,
  addGeneration,
  addUpload,
  auditsOf,
  DAY_MS,
  type FilesScene,
  night as nightOf,
  putOld,
  quietFilesScene,
} from '#tests/factories/files/files.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

const scene = () => quietFilesScene(service);

/** One pass, a day after the one before. */
function night(on: FilesScene, options: RetentionOptions = {}): Promise<RetentionReport> {
  on.clock.advance(DAY_MS);
  return nightOf(on, options);
}

const never = () => new Promise<never>(() => {});

/** Old objects that no row names, in one folder: as many pages as objects when they are listed one by one. */
async function litter(s: FilesScene, names: string): Promise<void> {
  const at = new Date(s.clock.now().getTime() - 40 * DAY_MS);
  for (const name of names) await putOld(s, `products/p/${name}.png`, Buffer.from(name), at);
}

describe('a store that refuses', () => {
  it('is asked again the next night: the report and the audit tell each refusal, the files go once', async () => {
    const s = await scene();
    const files = [];
    for (let n = 0; n < 40; n += 1) files.push(await addAsset(s, { ageDays: 40 }));
    const remove = s.store.delete;
    let calls = 0;
    s.store.delete = () => {
      calls += 1;
      return Promise.reject(new Error('503'));
    };
    const down = await night(s);
    expect(down).toMatchObject({ assets: { expired: 0 }, files: { removed: 0 }, complete: false });
    // It is taken to be down well before the last file.
    expect(calls).toBeLessThanOrEqual(40);
    expect(down.files.failed).toBe(calls);
    const told = s.lines.filter((line) => line.event === 'retention.delete_failed');
    expect(told).toEqual([expect.objectContaining({ error: 'Error', frames: expect.any(Array) })]);
    expect((await auditsOf(s, 'generation.files_delete_failed')).length).toBe(calls);
    await expect(
      reviewAsset(s.ctx, { assetId: files[0]?.id ?? '', review: 'approve' }),
    ).rejects.toMatchObject({
      code: 'not_found',
    });
    s.store.delete = remove;
    const up = await night(s);
    expect(up).toMatchObject({ assets: { expired: 40 }, files: { removed: 40, failed: 0 }, complete: true });
    expect(s.store.files.size).toBe(0);
    expect((await auditsOf(s, 'generation.files_expired')).length).toBe(40);
  });

  it('to delete an upload or an orphan keeps both for the next night, reported as failed', async () => {
    const s = await scene();
    const upload = await addUpload(s, { ageDays: 40 });
    await litter(s, 'a');
    const remove = s.store.delete;
    s.store.delete = () => Promise.reject(new Error('403'));
    expect(await night(s)).toMatchObject({
      uploads: 0,
      files: { removed: 0, failed: 1 },
      orphans: { scanned: 2, expired: 0, failed: 1 },
    });
    expect([...s.store.files.keys()].sort()).toEqual(['products/p/a.png', upload.pathname]);
    s.store.delete = remove;
    expect(await night(s)).toMatchObject({ uploads: 1, files: { removed: 1 }, orphans: { expired: 1 } });
    expect(s.store.files.size).toBe(0);
  });

  it('to say whose it is, or to take the mark of it, loses nothing that night, and the next one asks again', async () => {
    const s = await scene();
    s.store.ownerMark = OWNER_MARK;
    await litter(s, 'a');
    const { read, put } = s.store;
    s.store.put = () => Promise.reject(new Error('503'));
    const unasked = { orphans: { scanned: 0, expired: 0 }, complete: false };
    const unmarked = await night(s);
    Object.assign(s.store, { put, read: () => Promise.reject(new Error('503')) });
    const unread = await night(s);
    for (const report of [unmarked, unread]) {
      expect(report).toMatchObject(unasked);
      expect(report.orphansRefused).toBeUndefined();
    }
    expect(s.lines.filter((line) => line.event === 'retention.mark_failed')).toHaveLength(2);
    expect([...s.store.files.keys()]).toEqual(['products/p/a.png']);
    s.store.read = read;
    expect(await night(s)).toMatchObject({ orphans: { scanned: 1, expired: 1 }, complete: true });
    expect([...s.store.files.keys()]).toEqual([OWNER_MARK]);
  });

  it('while the clock was ahead does not cost a file that is recent again: it is found alive', async () => {
    const s = await scene();
    const file = await addAsset(s, { ageDays: 20 });
    const upload = await addUpload(s, { ageDays: 20 });
    const remove = s.store.delete;
    s.store.delete = () => Promise.reject(new Error('503'));
    s.clock.advance(15 * DAY_MS);
    expect(await night(s)).toMatchObject({ files: { failed: 2 } });
    s.store.delete = remove;
    s.clock.advance(-15 * DAY_MS);
    expect(await night(s)).toMatchObject({ assets: { expired: 0 }, uploads: 0, complete: true });
    expect(s.store.files.size).toBe(2);
    const rows = [
      await service.db.asset.findUniqueOrThrow({ where: { id: file.id } }),
      await service.db.upload.findUniqueOrThrow({ where: { id: upload.id } }),
    ];
    for (const row of rows) expect(row).toMatchObject({ deletedAt: null, expiringAt: null });
  });

  it('to be asked in time while the clock was ahead does not cost an object that is recent again', async () => {
    const s = await scene();
    const pathname = 'products/p/a.png';
    await putOld(s, pathname, Buffer.from('a'), s.clock.now());
    // Out of time between the decision and the deletion.
    const { list } = s.store;
    let asked = 0;
    s.store.list = (options) => {
      if (options.prefix === 'products/') asked += 1;
      return list(options);
    };
    s.clock.advance(40 * DAY_MS);
    const cut = { budgetMs: 1, elapsedMs: () => asked };
    expect(await night(s, cut)).toMatchObject({ orphans: { scanned: 1, expired: 0 }, complete: false });
    s.clock.advance(-40 * DAY_MS);
    expect(await night(s)).toMatchObject({ orphans: { expired: 0 }, complete: true });
    expect(s.store.files.has(pathname)).toBe(true);
    s.clock.advance(40 * DAY_MS);
    expect(await night(s)).toMatchObject({ orphans: { expired: 1 }, complete: true });
  });

  it('to list one page while it lists the others ends the pass, which resumes at that page', async () => {
    const s = await scene();
    await litter(s, 'abcd');
    const { list, delete: remove } = s.store;
    // Nothing goes: what is seen again would be counted again.
    s.store.delete = async () => 'changed' as const;
    const asked: (string | undefined)[] = [];
    s.store.list = async (options) => {
      if (options.prefix === 'products/') asked.push(options.cursor);
      if (options.cursor === 'products/p/b.png') throw new Error('503');
      return list(options);
    };
    expect(await night(s, { page: 1 })).toMatchObject({ complete: false, orphans: { scanned: 2 } });
    expect(asked).toEqual([undefined, 'products/p/a.png', 'products/p/b.png']);
    expect(s.lines.filter((line) => line.event === 'retention.list_failed')).toHaveLength(1);
    s.store.list = list;
    s.store.delete = remove;
    expect(await night(s, { page: 1 })).toMatchObject({
      complete: true,
      orphans: { scanned: 2, expired: 2 },
    });
    expect(await night(s, { page: 1 })).toMatchObject({ complete: true, orphans: { expired: 2 } });
    expect(s.store.files.size).toBe(0);
  });

  it('to list a folder, night after night, keeps no row’s file from going; the folders after it wait for it', async () => {
    const s = await scene();
    await litter(s, 'a');
    const { list } = s.store;
    const asked: string[] = [];
    s.store.list = async (options) => {
      asked.push(options.prefix);
      if (options.prefix === 'products/') throw new Error('403');
      return list(options);
    };
    expect(await night(s)).toMatchObject({ orphans: { scanned: 0 }, complete: false });
    for (const ageDays of [40, 50]) {
      const gone = [await addAsset(s, { ageDays }), await addUpload(s, { ageDays })];
      asked.length = 0;
      expect(await night(s)).toMatchObject({ assets: { expired: 1 }, uploads: 1, complete: false });
      expect(asked).toEqual(['products/']);
      for (const { pathname } of gone) expect(s.store.files.has(pathname)).toBe(false);
    }
    s.store.list = list;
    expect(await night(s)).toMatchObject({ orphans: { expired: 1 }, complete: true });
    expect(s.store.files.size).toBe(0);
  });

  it('a place of the night before has its folder listed again, once', async () => {
    const s = await scene();
    await litter(s, 'abcd');
    const { list } = s.store;
    const asked: (string | undefined)[] = [];
    let knows = true;
    s.store.list = async (options) => {
      if (options.prefix === 'products/') asked.push(options.cursor);
      if (options.cursor && !knows) throw new Error('unknown cursor');
      return list(options);
    };
    // Out of time once the second page is listed.
    const cut = { budgetMs: 2, elapsedMs: () => asked.length };
    expect(await night(s, { page: 1, ...cut })).toMatchObject({
      complete: false,
      orphans: { scanned: 2, expired: 1 },
    });
    knows = false;
    asked.length = 0;
    // Its place is forgotten: the folder is begun again. Then the next page fails too, and the pass ends.
    expect(await night(s, { page: 1 })).toMatchObject({ complete: false, orphans: { expired: 2 } });
    expect(asked).toEqual(['products/p/b.png', undefined, 'products/p/c.png']);
    knows = true;
    expect(await night(s, { page: 1 })).toMatchObject({ complete: true, orphans: { expired: 1 } });
    expect(s.store.files.size).toBe(0);
  });
});

describe('a store that does not answer', () => {
  it('is given up call by call, reported, and its files go another night', async () => {
    const s = await scene();
    await addAsset(s, { ageDays: 40 });
    await addUpload(s, { ageDays: 40 });
    await litter(s, 'a');
    const remove = s.store.delete;
    s.store.delete = never;
    expect(await night(s, { storeCallMs: 10 })).toMatchObject({
      assets: { expired: 0 },
      uploads: 0,
      files: { removed: 0, failed: 2 },
      orphans: { expired: 0, failed: 1 },
    });
    expect((await auditsOf(s, 'generation.files_delete_failed')).length).toBe(2);
    expect(s.store.files.size).toBe(3);
    s.store.delete = remove;
    expect(await night(s)).toMatchObject({
      assets: { expired: 1 },
      uploads: 1,
      files: { removed: 2, failed: 0 },
      orphans: { expired: 1, failed: 0 },
      complete: true,
    });
    expect(s.store.files.size).toBe(0);
  });

  it('but did delete is found out the next night, and told once', async () => {
    const s = await scene();
    await addAsset(s, { ageDays: 40 });
    const remove = s.store.delete;
    s.store.delete = async (...args) => {
      await remove(...args);
      return never();
    };
    expect(await night(s, { storeCallMs: 10 })).toMatchObject({
      assets: { expired: 0 },
      files: { failed: 1 },
    });
    expect(s.store.files.size).toBe(0);
    s.store.delete = remove;
    expect(await night(s)).toMatchObject({ assets: { expired: 1 }, complete: true });
    expect(await auditsOf(s, 'generation.files_expired')).toHaveLength(1);
  });

  it('to a listing ends the pass in its time, incomplete', async () => {
    const s = await scene();
    await litter(s, 'a');
    const { list } = s.store;
    s.store.list = never;
    expect(await night(s, { storeCallMs: 10 })).toMatchObject({ complete: false, orphans: { scanned: 0 } });
    s.store.list = list;
    expect(await night(s)).toMatchObject({ complete: true, orphans: { expired: 1 } });
  });

  it('about a file that something keeps by now leaves it as it is: it lives again once the store tells of it', async () => {
    const s = await scene();
    const first = await addGeneration(s, { ageDays: 40 });
    const file = await addAsset(s, { generationId: first, ageDays: 40 });
    const { head, delete: remove } = s.store;
    s.store.delete = () => Promise.reject(new Error('503'));
    await night(s);
    // Claimed, not deleted; then a relative is approved, which keeps it.
    const variant = await addGeneration(s, { ancestorId: first });
    const kept = await addAsset(s, { generationId: variant });
    await reviewAsset(s.ctx, { assetId: kept.id, review: 'approve' });
    s.store.delete = remove;
    s.store.head = never;
    await night(s, { storeCallMs: 10 });
    expect(s.store.files.has(file.pathname)).toBe(true);
    s.store.head = head;
    await night(s);
    expect(s.store.files.has(file.pathname)).toBe(true);
    const row = await service.db.asset.findUniqueOrThrow({ where: { id: file.id } });
    expect(row).toMatchObject({ deletedAt: null, expiringAt: null });
  });
});

describe('a store that lists late', () => {
  it('and tells of what is deleted makes nothing fail, and nothing is told twice', async () => {
    const s = await scene();
    await litter(s, 'a');
    const before = [...s.store.files.values()];
    const { list } = s.store;
    expect(await night(s)).toMatchObject({ orphans: { expired: 1 } });
    s.store.list = async (options) => (options.prefix === 'products/' ? { files: before } : list(options));
    expect(await night(s)).toMatchObject({ complete: true, orphans: { failed: 0 } });
    expect(s.store.files.size).toBe(0);
  });

  it('and does not tell yet of what is there takes it another night', async () => {
    const s = await scene();
    await litter(s, 'ab');
    const { list } = s.store;
    s.store.list = async (options) => {
      const page = await list(options);
      return { ...page, files: page.files.filter((file) => !file.pathname.endsWith('b.png')) };
    };
    expect(await night(s)).toMatchObject({ complete: true, orphans: { expired: 1 } });
    expect([...s.store.files.keys()]).toEqual(['products/p/b.png']);
    s.store.list = list;
    expect(await night(s)).toMatchObject({ complete: true, orphans: { expired: 1 } });
    expect(s.store.files.size).toBe(0);
  });

  it('and tells the old bytes of a file that was written again keeps the new ones', async () => {
    const s = await scene();
    await litter(s, 'a');
    const before = [...s.store.files.values()];
    const { list } = s.store;
    await putOld(s, 'products/p/a.png', Buffer.from('new bytes'), s.clock.now());
    s.store.list = async (options) => (options.prefix === 'products/' ? { files: before } : list(options));
    expect(await night(s)).toMatchObject({ complete: true, orphans: { expired: 0 } });
    expect(s.store.files.has('products/p/a.png')).toBe(true);
  });
});
