import { describe, expect, it } from 'vitest';
import { OWNER_MARK } from '#lib/storage/pathnames.ts';
import { planRetention } from '#lib/storage/retention/plan-retention.ts';
import {
  addAsset,
  addGeneration,
  DAY_MS,
  type FilesScene,
  filesScene,
  night,
  putOld,
  quietFilesScene,
} from '#tests/factories/files/files.ts';
import type { MemoryStore } from '#tests/factories/memory-store.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const elsewhere = useTestService();

/** Its store says whose it is, as those do that a second database can reach. */
async function markedScene(): Promise<FilesScene> {
  const s = await quietFilesScene(service);
  s.store.ownerMark = OWNER_MARK;
  return s;
}

/** Another database that was given the same store. */
async function besideOn(store: MemoryStore): Promise<FilesScene> {
  return { ...(await filesScene(elsewhere, { store })), store };
}

describe('the nightly pass', () => {
  it('deletes old objects that no row names, in its five folders and never under avatars/', async () => {
    const s = await quietFilesScene(service);
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
    const s = await quietFilesScene(service);
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
});
