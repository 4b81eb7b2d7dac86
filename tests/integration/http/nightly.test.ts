import { expect, it } from 'vitest';
import { isNightMissed } from '#lib/http/runtime/night-missed.ts';
import { runNightly } from '#lib/http/runtime/nightly.ts';
import { addUpload, DAY_MS, quietFilesScene } from '#tests/factories/files/files.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

it('has one deadline for all its work, below its function’s: what it left no time for is named, and done the next night', async () => {
  const s = await quietFilesScene(service);
  const ctx = { ...s.cron, actor: { type: 'system', job: 'retention' } as const };
  await addUpload(s);
  await service.db.spentChallenge.create({
    data: { hash: 'spent', expiresAt: new Date(s.clock.now().getTime() - 2 * DAY_MS) },
  });
  const spent = () => service.db.spentChallenge.count({ where: { hash: 'spent' } });
  // A store so slow that one page takes all the time that there is.
  const { list } = s.store;
  let elapsedMs = 0;
  s.store.list = (...asked) => {
    elapsedMs += 270_000;
    return list(...asked);
  };
  const slow = await runNightly(ctx, {}, { elapsedMs: () => elapsedMs });
  expect(slow).toMatchObject({ complete: false });
  expect(slow.left).toEqual([
    'purge-expired',
    'purge-clients',
    'purge-runs',
    'erase-strays',
    'erase-deleted-memories',
    'purge-proposals',
    'settle-held-room',
    'tidy-exports',
    'erase-closed-accounts',
    'mail-mentions',
    'mail-low-balances',
    'sketch-memories',
    'tidy-search-index',
  ]);
  expect(s.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', event: 'cron.night.left', tasks: slow.left }),
  );
  expect(await spent()).toBe(1);
  s.store.list = list;
  s.clock.advance(DAY_MS);
  const next = await runNightly(ctx, {}, { elapsedMs: () => elapsedMs });
  expect(next).toMatchObject({ complete: true });
  expect(next).not.toHaveProperty('left');
  expect(await spent()).toBe(0);
});

it('begins no more of its work on an instance that is being stopped, and names what it left', async () => {
  const s = await quietFilesScene(service);
  const actor = { type: 'system', job: 'retention' } as const;
  const night = await runNightly({ ...s.cron, actor, stopping: AbortSignal.abort() });
  expect(night.left).toContain('erase-binned-files');
  expect(night.left).toContain('purge-expired');
  expect(night.left).toHaveLength(14);
});

it('files leave half a minute to the work that comes after them, however many there are', async () => {
  const s = await quietFilesScene(service);
  const ctx = { ...s.cron, actor: { type: 'system', job: 'retention' } as const };
  for (let n = 0; n < 40; n += 1) await addUpload(s, { ageDays: 40 });
  // The bin comes before them, and its time is none of theirs.
  const binned = await addUpload(s, { ageDays: 50 });
  await service.db.upload.update({
    where: { id: binned.id },
    data: { deletedAt: new Date(s.clock.now().getTime() - 31 * DAY_MS), binnedBy: s.owner.memberId },
  });
  await service.db.spentChallenge.create({
    data: { hash: 'spent', expiresAt: new Date(s.clock.now().getTime() - 2 * DAY_MS) },
  });
  const remove = s.store.delete;
  let elapsedMs = 0;
  s.store.delete = (...args) => {
    elapsedMs += 10_000;
    return remove(...args);
  };
  const night = await runNightly(ctx, {}, { elapsedMs: () => elapsedMs });
  expect(night).toMatchObject({ complete: false });
  expect(night).not.toHaveProperty('left');
  expect(s.store.files.has(binned.pathname)).toBe(false);
  expect(elapsedMs).toBe(240_000);
  expect(await service.db.spentChallenge.count({ where: { hash: 'spent' } })).toBe(0);
});

it('without a file store it is had like any other: whoever catches a missed night up does not do it again', async () => {
  const s = await quietFilesScene(service);
  const ctx = {
    ...s.cron,
    actor: { type: 'system', job: 'retention' } as const,
    files: { ...s.cron.files, store: null },
  };
  await service.db.cronRun.deleteMany();
  const before = new Date(s.clock.now().getTime() - 2 * DAY_MS);
  await service.db.spentChallenge.create({ data: { hash: 'spent', expiresAt: before } });
  await service.db.cronRun.create({
    data: { id: 'run_before', job: 'generations-sweep', startedAt: before },
  });
  expect(await isNightMissed(ctx)).toBe(true);
  expect(await runNightly(ctx)).toMatchObject({ skipped: 'no-blob-store' });
  expect(await isNightMissed(ctx)).toBe(false);
  // The night’s other work is done.
  expect(await service.db.spentChallenge.count({ where: { hash: 'spent' } })).toBe(0);
  const at = s.clock.now();
  const [run, ...others] = await service.db.cronRun.findMany({ where: { job: 'retention' } });
  expect(others).toEqual([]);
  expect(run).toMatchObject({ startedAt: at, finishedAt: at, complete: true });
  expect(run?.report).toEqual({ skipped: 'no-blob-store' });
});
