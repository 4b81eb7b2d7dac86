import { describe, expect, it } from 'vitest';
import type { ServiceError } from '#lib/core/errors.ts';
import { STORAGE_LIMITS } from '#lib/storage/uploads/judge-hold.ts';
import { recordStoredUpload } from '#lib/storage/uploads/record-upload.ts';
import { setStorageQuota } from '#lib/storage/uploads/set-storage-quota.ts';
import { holdStorage, readStorageUse } from '#lib/storage/uploads/storage-quota.ts';
import { uploadImage } from '#lib/storage/uploads/upload-image.ts';
import { makeMember, memberActor } from '#tests/factories/account.ts';
import { addAsset, addUpload, type FilesScene, filesScene } from '#tests/factories/files/files.ts';
import { useTestService } from '#tests/setup/service.ts';
import { PIXEL } from '#tests/simulation/outside.ts';

const service = useTestService({ poolMax: 20 });
const MB = 1_000_000;

const inMinutes = (s: FilesScene, minutes: number) => new Date(s.clock.now().getTime() + minutes * 60_000);
const setQuota = (s: FilesScene, bytes: number) =>
  setStorageQuota(
    { ...s.ctx, actor: { type: 'admin' } },
    { accountId: s.owner.accountId, bytes: BigInt(bytes) },
  );
const hold = (s: FilesScene, bytes: number, stem = 'references/libre/a') =>
  holdStorage(s.ctx, { stem, bytes, expiresAt: inMinutes(s, 15) });
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: ServiceError) => `${error.code} ${error.options.detail ?? ''}`.trim(),
  );

describe('the storage quota', () => {
  it('is never passed, however many ask for room at once, on however many connections', async () => {
    const s = await filesScene(service);
    const stored = await addAsset(s, { content: 'x'.repeat(MB) });
    await addAsset(s, { content: 'y'.repeat(MB), imported: true, generationId: null });
    await addUpload(s);
    await setQuota(s, 10 * MB);
    const members = await Promise.all(
      Array.from({ length: 6 }, async () => memberActor(await makeMember(service, s.owner.accountId))),
    );
    const asked = await Promise.all(
      Array.from({ length: 48 }, (_, n) =>
        refusalOf(
          holdStorage(
            { ...s.ctx, actor: members[n % 6] as typeof s.ctx.actor },
            { stem: `references/libre/${n}`, bytes: MB, expiresAt: inMinutes(s, 15) },
          ),
        ),
      ),
    );
    expect(asked.filter((refusal) => refusal === null)).toHaveLength(8);
    expect(asked.filter((refusal) => refusal === 'conflict storage-full')).toHaveLength(40);
    const use = await readStorageUse(s.ctx);
    expect(use).toMatchObject({ heldBytes: BigInt(8 * MB), quotaBytes: BigInt(10 * MB) });
    expect(use.storedBytes).toBeGreaterThan(BigInt(MB));
    // Another account's files are its own business, and what is deleted leaves room.
    const stranger = await filesScene(service);
    expect(await refusalOf(hold(stranger, 50 * MB))).toBeNull();
    await service.db.asset.update({ where: { id: stored.id }, data: { deletedAt: new Date() } });
    expect(await refusalOf(hold(s, MB))).toBeNull();
    expect(await refusalOf(hold(s, MB))).toBe('conflict storage-full');
  });

  it('counts a file once: held while it is sent, its own bytes once it is recorded, nothing when its time is over', async () => {
    const s = await filesScene(service);
    await setQuota(s, 100 * MB);
    const folder = `references/libre/${s.owner.accountId}/`;
    await hold(s, 60 * MB, `${folder}rush`);
    expect(await refusalOf(hold(s, 60 * MB))).toBe('conflict storage-full');
    const clip = await import('node:fs/promises').then((fs) =>
      fs.readFile(new URL('../../fixtures/media/clip.mp4', import.meta.url)),
    );
    await s.store.put(`${folder}rush-x1.mp4`, clip, { contentType: 'video/mp4' });
    const sent = { ...s.owner, productId: 'libre', pathname: `${folder}rush-x1.mp4`, via: 'client' as const };
    await recordStoredUpload(s.ctx, sent);
    const use = await readStorageUse(s.ctx);
    expect(use).toMatchObject({ heldBytes: 0n, storedBytes: BigInt(clip.byteLength) });
    await recordStoredUpload(s.ctx, sent);
    await hold(s, 60 * MB);
    s.clock.advance(16 * 60_000);
    expect(await readStorageUse(s.ctx)).toMatchObject({ heldBytes: 0n });
    expect(await refusalOf(hold(s, 60 * MB))).toBeNull();
    expect(await service.db.storageHold.count({ where: { accountId: s.owner.accountId } })).toBe(1);
  });

  it('is not passed by files that are told of once the room held for them was given up', async () => {
    const s = await filesScene(service);
    const folder = `references/libre/${s.owner.accountId}/`;
    const clip = await import('node:fs/promises').then((fs) =>
      fs.readFile(new URL('../../fixtures/media/clip.mp4', import.meta.url)),
    );
    await setQuota(s, clip.byteLength);
    const send = async (name: string) => {
      await hold(s, clip.byteLength, folder + name);
      const pathname = `${folder}${name}-x1.mp4`;
      await s.store.put(pathname, clip, { contentType: 'video/mp4' });
      s.clock.advance(16 * 60_000);
      return { ...s.owner, productId: 'libre', pathname, via: 'confirm' as const };
    };
    const [first, second] = [await send('un'), await send('deux')];
    expect(await refusalOf(recordStoredUpload(s.ctx, first))).toBeNull();
    expect(await refusalOf(recordStoredUpload(s.ctx, second))).toBe('conflict storage-full');
    expect(await readStorageUse(s.ctx)).toMatchObject({ storedBytes: BigInt(clip.byteLength) });
    // Told of again once there is room.
    await setQuota(s, 2 * clip.byteLength);
    expect(await refusalOf(recordStoredUpload(s.ctx, second))).toBeNull();
  });

  it('is asked before an image is kept, and what the store refuses or a lying file held is given back', async () => {
    const s = await filesScene(service);
    await setQuota(s, PIXEL.byteLength);
    const { put } = s.store;
    s.store.put = () => Promise.reject(new Error('503'));
    await expect(uploadImage(s.ctx, { productId: 'libre', bytes: PIXEL })).rejects.toThrow('503');
    s.store.put = put;
    await uploadImage(s.ctx, { productId: 'libre', bytes: PIXEL });
    const before = s.store.files.size;
    expect(await refusalOf(uploadImage(s.ctx, { productId: 'libre', bytes: PIXEL }))).toBe(
      'conflict storage-full',
    );
    expect(s.store.files.size).toBe(before);
    await setQuota(s, MB);
    const folder = `references/libre/${s.owner.accountId}/`;
    await hold(s, MB / 2, `${folder}faux`);
    await s.store.put(`${folder}faux-1.mp4`, Buffer.from('not a clip'), { contentType: 'video/mp4' });
    const lying = { ...s.owner, productId: 'libre', pathname: `${folder}faux-1.mp4`, via: 'client' as const };
    expect(await refusalOf(recordStoredUpload(s.ctx, lying))).toContain('reference-refused');
    expect(await readStorageUse(s.ctx)).toMatchObject({ heldBytes: 0n });
  });

  it('a member sends a few files at once, and is told when the next one may go', async () => {
    const s = await filesScene(service);
    for (let n = 0; n < STORAGE_LIMITS.sendingPerMember; n += 1) await hold(s, 1, `references/libre/${n}`);
    await expect(hold(s, 1)).rejects.toMatchObject({
      code: 'rate_limited',
      options: { retryAfterSeconds: 15 * 60 },
    });
    const other = memberActor(await makeMember(service, s.owner.accountId)) as typeof s.ctx.actor;
    const room = { stem: 'references/libre/x', bytes: 1, expiresAt: inMinutes(s, 15) };
    await holdStorage({ ...s.ctx, actor: other }, room);
    s.clock.advance(16 * 60_000);
    await hold(s, 1);
  });
});
