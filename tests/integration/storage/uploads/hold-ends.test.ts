import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '#lib/core/errors.ts';
import { MEDIA_LIMITS } from '#lib/storage/media/media-types.ts';
import { takeImportUpload } from '#lib/storage/uploads/import-upload.ts';
import { STORAGE_LIMITS } from '#lib/storage/uploads/judge-hold.ts';
import { recordStoredUpload } from '#lib/storage/uploads/record-upload.ts';
import { setStorageQuota } from '#lib/storage/uploads/set-storage-quota.ts';
import { holdRoom, settleHeldRoom } from '#lib/storage/uploads/settle-held-room.ts';
import { holdStorage, readStorageUse } from '#lib/storage/uploads/storage-quota.ts';
import { uploadImage } from '#lib/storage/uploads/upload-image.ts';
import { auditsOf, type FilesScene, filesScene } from '#tests/factories/files/files.ts';
import { refusalOf } from '#tests/factories/refusal-of.ts';
import { useTestService } from '#tests/setup/service.ts';
import { PIXEL } from '#tests/simulation/outside.ts';

const service = useTestService();
const MB = 1_000_000;
let clip: Buffer;
beforeAll(async () => {
  clip = await readFile(new URL('../../../fixtures/media/clip.mp4', import.meta.url));
});

const folderOf = (s: FilesScene) => `references/libre/${s.owner.accountId}/`;
const hold = (s: FilesScene, stem: string, bytes: number, minutes = 15) =>
  holdStorage(s.ctx, { stem, bytes, expiresAt: new Date(s.clock.now().getTime() + minutes * 60_000) });
const setQuota = (s: FilesScene, bytes: number) =>
  setStorageQuota(
    { ...s.ctx, actor: { type: 'admin' } },
    { accountId: s.owner.accountId, bytes: BigInt(bytes) },
  );
async function sent(s: FilesScene, name: string, bytes: Uint8Array = clip) {
  const pathname = folderOf(s) + name;
  await s.store.put(pathname, bytes, { contentType: 'video/mp4' });
  return { ...s.owner, productId: 'libre', pathname, via: 'client' as const };
}
/** Files that the account's members are sending at this moment. */
const sending = (s: FilesScene) =>
  service.db.storageHold.count({
    where: { accountId: s.owner.accountId, expiresAt: { gt: s.clock.now() } },
  });

describe('room that was held for a file', () => {
  it('is free again for who sends ten, when the first of them ends and no later', async () => {
    const s = await filesScene(service);
    await hold(s, 'references/libre/0', 1, 5);
    for (let n = 1; n < STORAGE_LIMITS.sendingPerMember; n += 1)
      await hold(s, `references/libre/${n}`, 1, 15);
    await expect(hold(s, 'references/libre/x', 1)).rejects.toMatchObject({
      code: 'rate_limited',
      options: { retryAfterSeconds: 5 * 60 },
    });
  });

  it('is the least that fits it, of several under one name: what was held for a larger one stays held', async () => {
    const s = await filesScene(service);
    await hold(s, `${folderOf(s)}rush`, 40 * MB);
    s.clock.advance(1_000);
    await hold(s, `${folderOf(s)}rush`, clip.byteLength);
    await recordStoredUpload(s.ctx, await sent(s, 'rush-x1.mp4'));
    expect(await readStorageUse(s.ctx)).toMatchObject({ heldBytes: BigInt(40 * MB) });
  });

  it('stays held for the largest of what lies there untold of, where more came than it was held for', async () => {
    const s = await filesScene(service);
    await hold(s, `${folderOf(s)}rush`, 2_000);
    for (const bytes of [500, 1_500]) await sent(s, `rush-x${bytes}.mp4`, new Uint8Array(bytes));
    s.clock.advance(3 * 3_600_000);
    expect(await settleHeldRoom(s.cron, { accountId: s.owner.accountId })).toBe(0);
    expect(await readStorageUse(s.ctx)).toMatchObject({ heldBytes: 1_500n });
  });

  it('is not asked for twice by a file that has none and fills the quota to its last byte', async () => {
    const s = await filesScene(service);
    await setQuota(s, clip.byteLength);
    await recordStoredUpload(s.ctx, await sent(s, 'un-x1.mp4'));
    expect(await refusalOf(recordStoredUpload(s.ctx, await sent(s, 'deux-x1.mp4')))).toBe(
      'conflict storage-full',
    );
    const { memberId } = s.owner;
    expect((await auditsOf(s, 'reference.uploaded')).map(({ data }) => data)).toMatchObject([
      { via: 'client', bytes: clip.byteLength, contentType: 'video/mp4', memberId },
    ]);
  });

  it('is no longer held as one on its way once its file was deleted for who may not send any more', async () => {
    const s = await filesScene(service);
    await hold(s, `${folderOf(s)}rush`, clip.byteLength);
    const told = { ...(await sent(s, 'rush-x1.mp4')), mayStillSend: async () => false };
    expect(await refusalOf(recordStoredUpload(s.ctx, told))).toBe('forbidden');
    expect([await sending(s), s.store.files.size]).toEqual([0, 0]);
    // Its address may still be used: the room itself waits until the store is asked.
    expect(await readStorageUse(s.ctx)).toMatchObject({ heldBytes: BigInt(clip.byteLength) });
  });

  it('is no longer held as one on its way for an image that the store neither confirmed nor deleted', async () => {
    const s = await filesScene(service);
    const { put } = s.store;
    s.store.put = async (...args) => {
      await put(...args);
      throw new Error('late');
    };
    s.store.delete = () => Promise.reject(new Error('503'));
    await expect(uploadImage(s.ctx, { productId: 'libre', bytes: PIXEL })).rejects.toThrow('late');
    expect(await sending(s)).toBe(0);
    expect(await readStorageUse(s.ctx)).toMatchObject({ heldBytes: BigInt(PIXEL.byteLength) });
  });

  it('is given to who waits for some as soon as one name gave it back, though the store could not tell of another', async () => {
    const s = await filesScene(service);
    await setQuota(s, 100 * MB);
    for (const name of ['muet', 'vide']) await hold(s, folderOf(s) + name, 50 * MB);
    s.clock.advance(3 * 3_600_000);
    const { list } = s.store;
    s.store.list = (asked) =>
      asked.prefix.includes('/muet-') ? Promise.reject(new Error('503')) : list(asked);
    const expiresAt = new Date(s.clock.now().getTime() + 60_000);
    await holdRoom(s.ctx, { stem: `${folderOf(s)}neuf`, bytes: 50 * MB, expiresAt });
    expect(await readStorageUse(s.ctx)).toMatchObject({ heldBytes: BigInt(100 * MB) });
  });

  it('is for a file of fifty megabytes at most: one of exactly as many is measured, one byte more is not', async () => {
    const s = await filesScene(service);
    const most = MEDIA_LIMITS.uploadedClipBytes;
    const why = async (name: string, bytes: number) =>
      refusalOf(recordStoredUpload(s.ctx, await sent(s, name, new Uint8Array(bytes))));
    expect(await why('juste-x1.mp4', most)).not.toBe('reference-refused too-large');
    expect(await why('trop-x1.mp4', most + 1)).toBe('reference-refused too-large');
  });

  it('tells why the first file under it was refused, whatever came under it afterwards', async () => {
    const s = await filesScene(service);
    await hold(s, `${folderOf(s)}faux`, 2_000);
    const first = await sent(s, 'faux-1.mp4', Buffer.from('not a clip'));
    const why = await refusalOf(recordStoredUpload(s.ctx, first));
    expect(why).toContain('reference-refused');
    await refusalOf(recordStoredUpload(s.ctx, await sent(s, 'faux-2.mp4', Buffer.from('nor this'))));
    expect(await refusalOf(recordStoredUpload(s.ctx, { ...first, via: 'client' }))).toBe(why);
  });
});

it('a quota of its own is taken from an account that has none, and stays none, as its page showed it', async () => {
  const s = await filesScene(service);
  const { accountId } = s.owner;
  const ctx = { ...s.ctx, actor: { type: 'admin' } as const };
  await setStorageQuota(ctx, { accountId, bytes: null, shown: { gigabytes: '' } });
  expect(await readStorageUse(s.ctx)).toMatchObject({ quotaBytes: BigInt(STORAGE_LIMITS.quotaBytes) });
  expect((await auditsOf(s, 'account.storage_set')).map(({ data }) => data)).toEqual([{ bytes: null }]);
});

describe('the form of an import that cannot be read for now', () => {
  const stemOf = (s: FilesScene) => `imports/${s.owner.accountId}/${s.owner.memberId}/${'0a'.repeat(20)}`;
  const waiting = async () => {
    const s = await filesScene(service);
    await hold(s, stemOf(s), 3, 60);
    await s.store.put(stemOf(s), Buffer.from('abc'), { contentType: 'application/octet-stream' });
    const read = (by: () => Promise<string>) => takeImportUpload(s.ctx, { pathname: stemOf(s) }, by);
    return { s, read };
  };

  it.each([
    ['unavailable', () => new ServiceError('unavailable', { retryAfterSeconds: 5 })],
    ['a fault of ours', () => new Error('ours')],
  ])('(%s) waits where it is, and is read at the next asking', async (_, fault) => {
    const { s, read } = await waiting();
    const refusal = fault();
    await expect(read(() => Promise.reject(refusal))).rejects.toBe(refusal);
    expect(s.store.files.size).toBe(1);
    expect(await read(async () => 'read')).toBe('read');
    expect(s.store.files.size).toBe(0);
  });

  it('(the store does not give it) is taken by nobody meanwhile, and is read at the next asking', async () => {
    const { s, read } = await waiting();
    const { open } = s.store;
    s.store.open = () => Promise.reject(new Error('503'));
    await expect(read(async () => 'read')).rejects.toThrow('503');
    s.store.open = open;
    expect(await read(async () => 'read')).toBe('read');
  });
});
