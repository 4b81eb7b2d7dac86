import { describe, expect, it } from 'vitest';
import { OWNER_MARK } from '#lib/storage/pathnames.ts';
import { planRetention } from '#lib/storage/retention/plan-retention.ts';
import { CopyRefused, ownedStore } from '#lib/storage/stores/owned-store.ts';
import {
  addAsset,
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
import { type TestService, useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const elsewhere = useTestService();

const HOME = 'https://atelier.exemple';
const TRIAL = 'https://essai.exemple';

/** The service at this address: on a copy of the database it has the same rows, and the same store. */
function at(s: FilesScene, origin: string | null): FilesScene {
  return { ...s, cron: { ...s.cron, files: { ...s.cron.files, origin } } };
}

/** A service at an address, whose store says whose it is. */
async function scene(): Promise<FilesScene> {
  const s = at(await quietFilesScene(service), HOME);
  s.store.ownerMark = OWNER_MARK;
  return s;
}

/** An old file of a row, an old upload and an old object that no row names. */
async function oldFiles(s: FilesScene): Promise<string[]> {
  const [file, upload] = [await addAsset(s, { ageDays: 40 }), await addUpload(s, { ageDays: 40 })];
  const orphan = `products/p/${file.id}.png`;
  await putOld(s, orphan, Buffer.from('a'), new Date(s.clock.now().getTime() - 40 * DAY_MS));
  return [file.pathname, upload.pathname, orphan].sort();
}

const filesOf = (s: FilesScene) => [...s.store.files.keys()].filter((name) => name !== OWNER_MARK).sort();
const markIn = (s: FilesScene) =>
  JSON.parse(new TextDecoder().decode(s.store.files.get(OWNER_MARK)?.content)) as unknown;

const NOTHING = {
  assets: { expired: 0 },
  uploads: 0,
  files: { removed: 0, failed: 0 },
  orphans: { scanned: 0, expired: 0 },
  complete: false,
};

/** A database that was given this identifier. */
async function named({ pool }: Pick<TestService, 'pool'>, id: string): Promise<void> {
  await pool.query(`INSERT INTO "CronCursor" ("job", "cursor", "updatedAt") VALUES ('store', $1, now())`, [
    JSON.stringify({ id }),
  ]);
}

/** Another database that was given the same store; with its identifier, a copy of it. */
async function besideOn(store: MemoryStore, database?: string): Promise<FilesScene> {
  await elsewhere.pool.query('DELETE FROM "CronCursor"');
  if (database !== undefined) await named(elsewhere, database);
  return { ...(await filesScene(elsewhere, { store })), store };
}

/** Neither of two passes writes before each has read what the mark says. */
function readAtOnce(store: MemoryStore): void {
  const { read } = store;
  const both = Promise.withResolvers<void>();
  let seen = 0;
  store.read = async (pathname, options) => {
    const found = await read(pathname, options);
    if (pathname === OWNER_MARK && seen < 2) {
      seen += 1;
      if (seen === 2) both.resolve();
      await both.promise;
    }
    return found;
  };
}

describe('a copy of the database that is given the store of its original', () => {
  it.each([TRIAL, null])(
    'deletes nothing of it, not even of its own rows, at the address %s',
    async (origin) => {
      const s = await scene();
      expect(await night(s)).toMatchObject({ complete: true });
      expect(markIn(s)).toEqual({ database: expect.stringMatching(/^[0-9a-f]{32}$/), origin: HOME });
      const files = await oldFiles(s);
      const copy = at(s, origin);
      for (let n = 0; n < 2; n += 1)
        expect(await night(copy)).toMatchObject({ ...NOTHING, withheld: 'copy' });
      expect(filesOf(s)).toEqual(files);
      // Nothing is claimed, and nothing told as failed.
      expect(
        await service.db.asset.count({ where: { accountId: s.owner.accountId, expiringAt: { not: null } } }),
      ).toBe(0);
      expect(await auditsOf(s, 'generation.files_delete_failed')).toEqual([]);
      const refused = s.lines.filter(({ event }) => event === 'retention.copy_refused');
      expect(refused.map(({ level }) => level)).toEqual(['error', 'error']);
      expect(await night(s)).toMatchObject({ assets: { expired: 1 }, uploads: 1, complete: true });
      expect(filesOf(s)).toEqual([]);
    },
  );

  it('takes it over when somebody says so, as after a move, and refuses it to the former address', async () => {
    const s = await scene();
    await night(s);
    const files = await oldFiles(s);
    const moved = at(s, TRIAL);
    expect(await night(moved)).toMatchObject({ withheld: 'copy' });
    expect(filesOf(s)).toEqual(files);
    expect(await night(moved, { ownStore: true })).toMatchObject({ assets: { expired: 1 }, complete: true });
    expect(filesOf(s)).toEqual([]);
    expect(markIn(s)).toMatchObject({ origin: TRIAL });
    expect(await night(s)).toMatchObject({ withheld: 'copy' });
    expect((await night(moved)).withheld).toBeUndefined();
  });
});

describe('a dry run', () => {
  /** What it says, and the files that it names. */
  async function planned(s: FilesScene, options: { ownStore?: boolean } = {}) {
    const named: string[] = [];
    const before = [...s.store.files.keys()];
    const plan = await planRetention(s.cron, ({ pathname }) => named.push(pathname), options);
    expect([...s.store.files.keys()]).toEqual(before);
    return { plan, named: named.sort() };
  }

  it('names nothing where the pass is withheld, and under --own-store what goes then', async () => {
    const s = await scene();
    await night(s);
    const files = await oldFiles(s);
    const copy = at(s, TRIAL);
    const { plan, named } = await planned(copy);
    expect(named).toEqual([]);
    expect(plan).toMatchObject({ withheld: 'copy', files: { wouldRemove: 0, bytes: 0 } });
    expect(await night(copy)).toMatchObject({ ...NOTHING, withheld: 'copy' });
    expect((await planned(copy, { ownStore: true })).named).toEqual(files);
    await night(copy, { ownStore: true });
    expect(filesOf(s)).toEqual([]);
  });

  it('names what rows name, and no object without a row, in the store of another database', async () => {
    const s = await scene();
    await night(s);
    const other = await besideOn(s.store);
    const files = await oldFiles(other);
    const orphan = files.filter((name) => name.startsWith('products/'));
    // Before its first night the database has no identifier yet: any mark is another's.
    const { plan, named } = await planned(other);
    expect(named).toEqual(files.filter((name) => !orphan.includes(name)));
    expect(plan).toMatchObject({ orphansRefused: true, orphans: { scanned: 0, expired: 0 } });
    expect(await night(other)).toMatchObject({ orphansRefused: true, assets: { expired: 1 }, uploads: 1 });
    expect(filesOf(other)).toEqual(orphan);
    expect(await planned(other)).toMatchObject({ plan: { orphansRefused: true }, named: [] });
    expect((await planned(other, { ownStore: true })).named).toEqual(orphan);
  });

  it('names nothing where the next pass does no more than mark the store, and all of it in one that has no mark', async () => {
    const s = await scene();
    const files = await oldFiles(s);
    expect((await planned(s)).named).toEqual(files);
    s.store.overwrites = true;
    expect(await planned(s)).toMatchObject({ plan: { withheld: 'marked' }, named: [] });
    expect(await night(s)).toMatchObject({ ...NOTHING, withheld: 'marked' });
    expect((await planned(s)).named).toEqual(files);
  });
});

describe('a mark that tells no address, of an earlier version', () => {
  /** Its night, then its mark, as it was written before addresses were. */
  async function earlier(): Promise<FilesScene> {
    const s = await scene();
    await night(at(s, null));
    expect(markIn(s)).toEqual({ database: expect.any(String) });
    return s;
  }

  it('is given that of the service, which deletes from its next night on', async () => {
    const s = await earlier();
    const files = await oldFiles(s);
    expect(await night(s)).toMatchObject({ ...NOTHING, withheld: 'marked' });
    expect(filesOf(s)).toEqual(files);
    expect(markIn(s)).toMatchObject({ origin: HOME });
    expect(await night(s)).toMatchObject({ assets: { expired: 1 }, uploads: 1, complete: true });
    expect(filesOf(s)).toEqual([]);
  });

  it('is given that of one of two services that meet it at once; neither deletes that night, and the other none after it', async () => {
    const s = await earlier();
    const { database } = markIn(s) as { database: string };
    const copy = at(await besideOn(s.store, database), TRIAL);
    const files = await oldFiles(s);
    readAtOnce(s.store);
    const reports = await Promise.all([night(s), night(copy)]);
    for (const report of reports) expect(report).toMatchObject(NOTHING);
    expect(filesOf(s)).toEqual(files);
    const { origin } = markIn(s) as { origin: string };
    const [owner, other] = origin === HOME ? [s, copy] : [copy, s];
    expect(await night(other)).toMatchObject({ ...NOTHING, withheld: 'copy' });
    expect(await night(owner)).toMatchObject({ complete: true });
    expect((await night(owner)).withheld).toBeUndefined();
  });
});

describe('a store that knows no conditional writes', () => {
  it('is marked by one of two databases that meet it at once; neither deletes what no row names that night, and the other none after it', async () => {
    const s = await scene();
    const { put } = s.store;
    s.store.overwrites = true;
    s.store.put = (pathname, bytes, { contentType }) => put(pathname, bytes, { contentType });
    const other = at(await besideOn(s.store), TRIAL);
    const orphan = 'products/p/a.png';
    await putOld(s, orphan, Buffer.from('a'), new Date(s.clock.now().getTime() - 40 * DAY_MS));
    readAtOnce(s.store);
    const reports = await Promise.all([night(s), night(other)]);
    for (const report of reports)
      expect(report).toMatchObject({ orphans: { scanned: 0, expired: 0 }, complete: false });
    const { origin } = markIn(s) as { origin: string };
    const [owner, stranger] = origin === HOME ? [s, other] : [other, s];
    expect(await night(stranger)).toMatchObject({ orphans: { scanned: 0 }, orphansRefused: true });
    expect(filesOf(s)).toEqual([orphan]);
    expect(await night(owner)).toMatchObject({ orphans: { scanned: 1, expired: 1 }, complete: true });
    expect(filesOf(s)).toEqual([]);
  });
});

describe('every deletion outside of the night', () => {
  const pathname = 'generations/gen_a/image-1.png';
  /** The store as a service at this address has it, with a clock, and how often its mark was read. */
  function guarded(s: FilesScene, origin: string | null) {
    const state = { elapsedMs: 0, reads: 0 };
    const { read } = s.store;
    s.store.read = (...args) => {
      state.reads += 1;
      return read(...args);
    };
    const store = ownedStore(s.store, {
      kysely: () => service.kysely,
      origin,
      elapsedMs: () => state.elapsedMs,
    });
    return { state, store };
  }

  it('is refused to a copy, and costs the owner one look at the mark in ten minutes', async () => {
    const s = await scene();
    await night(s);
    const { state, store } = guarded(s, HOME);
    for (const elapsedMs of [0, 599_999, 600_000]) {
      state.elapsedMs = elapsedMs;
      await s.store.put(pathname, Buffer.from('a'), { contentType: 'image/png' });
      expect(await Promise.all([store.delete([pathname]), store.delete([pathname])])).toEqual([
        'deleted',
        'deleted',
      ]);
      expect(s.store.files.has(pathname)).toBe(false);
    }
    expect(state.reads).toBe(2);
    for (const origin of [TRIAL, null]) {
      const copy = guarded(s, origin).store;
      await copy.put(pathname, Buffer.from('a'), { contentType: 'image/png' });
      for (let n = 0; n < 2; n += 1)
        await expect(copy.delete([pathname])).rejects.toBeInstanceOf(CopyRefused);
      expect(s.store.files.has(pathname)).toBe(true);
    }
  });

  it('is refused while the store does not say whose it is, and free to a database that never named itself', async () => {
    const s = await scene();
    await s.store.put(pathname, Buffer.from('a'), { contentType: 'image/png' });
    const { state, store } = guarded(s, null);
    s.store.read = () => Promise.reject(new Error('503'));
    expect(await store.delete([pathname])).toBe('deleted');
    expect(state.reads).toBe(0);
    await named(service, 'a1');
    await s.store.put(pathname, Buffer.from('a'), { contentType: 'image/png' });
    state.elapsedMs = 600_000;
    await expect(store.delete([pathname])).rejects.toThrow('503');
    expect(s.store.files.has(pathname)).toBe(true);
  });
});
