import { describe, expect, it } from 'vitest';
import { deleteAvatar, saveAvatar } from '#lib/storage/assets/avatars.ts';
import { eraseExpiredBinned } from '#lib/storage/bin/erase-expired-binned.ts';
import { planRetention } from '#lib/storage/retention/plan-retention.ts';
import { addAsset, addUpload, DAY_MS, night, putOld, quietFilesScene } from '#tests/factories/files/files.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

describe('the nightly pass', () => {
  it('plans what it then does, file by file', async () => {
    const s = await quietFilesScene(service);
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
    const s = await quietFilesScene(service);
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
});
