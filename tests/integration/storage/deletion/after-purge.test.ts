import { describe, expect, it } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { deleteAvatar, saveAvatar } from '#lib/storage/assets/avatars.ts';
import { listBinned } from '#lib/storage/bin/list-binned.ts';
import { listUnregisteredProducts } from '#lib/storage/deletion/list-unregistered-products.ts';
import { purgeProductBlobs } from '#lib/storage/deletion/purge-product.ts';
import { addAsset, addUpload, type FilesScene, filesScene } from '#tests/factories/files/files.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

async function addRush(s: FilesScene, productId: string, uploadId: string | null, pathname: string) {
  const at = s.clock.now();
  await service.db.captureRush.create({
    data: {
      id: createId('rush', at),
      ...s.owner,
      productId,
      title: 'Matin',
      pathname,
      uploadId,
      contentType: 'video/mp4',
      bytes: 1_000n,
      createdAt: at,
    },
  });
}
const toldOf = async (s: FilesScene, productId: string) =>
  (await listUnregisteredProducts(s.ctx, [])).find((one) => one.productId === productId);

describe('a product that left the registry', () => {
  it('counts the bytes of a rush once, whose upload is counted already, and no rush that a purge cleared', async () => {
    const s = await filesScene(service);
    const productId = 'ancien-rushes';
    const upload = await addUpload(s, { productId });
    const { bytes } = await service.db.upload.findUniqueOrThrow({ where: { id: upload.id } });
    await addRush(s, productId, upload.id, upload.pathname);
    await addRush(s, productId, null, `products/${productId}/seul.mp4`);
    expect(await toldOf(s, productId)).toMatchObject({ uploads: 1, rushes: 2, bytes: bytes + 1_000n });
    expect(await purgeProductBlobs(s.ctx, productId)).toMatchObject({ clearedCaptures: 2, complete: true });
    expect(await toldOf(s, productId)).toMatchObject({ uploads: 0, rushes: 0, bytes: 0n });
  });

  it('takes its avatars out of the bin with their files: none is offered back once it was purged', async () => {
    const s = await filesScene(service);
    const productId = 'ancien-visages';
    const file = await addAsset(s, { productId });
    const { id } = await saveAvatar(s.ctx, { assetId: file.id, name: 'Inès' });
    await deleteAvatar(s.ctx, { avatarId: id });
    const binned = async () => (await listBinned(s.ctx)).items.map((one) => one.id);
    expect(await binned()).toEqual([id]);
    expect(await purgeProductBlobs(s.ctx, productId)).toMatchObject({ deletedAvatars: 1 });
    expect(await binned()).toEqual([]);
  });
});

it('the bin shows an avatar by its picture while that is there, or by a thumbnail that was made of it before', async () => {
  const s = await filesScene(service);
  const file = await addAsset(s);
  const { id } = await saveAvatar(s.ctx, { assetId: file.id, name: 'Inès' });
  await deleteAvatar(s.ctx, { avatarId: id });
  const shown = async () => (await listBinned(s.ctx)).items.find((one) => one.id === id)?.pathname;
  const change = (data: { deletedAt?: Date; thumbnail?: string }) =>
    service.db.asset.update({ where: { id: file.id }, data });
  expect(await shown()).toBe(file.pathname);
  await change({ deletedAt: s.clock.now() });
  expect(await shown()).toBeNull();
  await change({ thumbnail: '' });
  expect(await shown()).toBeNull();
  await change({ thumbnail: '"t"' });
  expect(await shown()).toBe(file.pathname);
});
