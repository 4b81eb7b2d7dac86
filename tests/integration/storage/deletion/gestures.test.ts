import { describe, expect, it } from 'vitest';
import { readGenerationFiles } from '#lib/storage/assets/read-generation-files.ts';
import { reviewAsset } from '#lib/storage/assets/review-asset.ts';
import { undoReviews } from '#lib/storage/assets/undo-reviews.ts';
import { eraseExpiredBinned } from '#lib/storage/bin/erase-expired-binned.ts';
import { listBinned } from '#lib/storage/bin/list-binned.ts';
import { restoreAllBinned } from '#lib/storage/bin/restore-all-binned.ts';
import { restoreBinned } from '#lib/storage/bin/restore-binned.ts';
import { purgeProductBlobs } from '#lib/storage/deletion/purge-product.ts';
import { deleteUpload } from '#lib/storage/uploads/delete-upload.ts';
import { listUploads } from '#lib/storage/uploads/list-uploads.ts';
import { addAsset, addGeneration, addUpload, DAY_MS, filesScene } from '#tests/factories/files/files.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

it('a decision is taken back for ten minutes, and not at their end', async () => {
  const s = await filesScene(service);
  const after = async (ms: number) => {
    const { id } = await addAsset(s);
    await reviewAsset(s.ctx, { assetId: id, review: 'approve' });
    s.clock.advance(ms);
    return (await undoReviews(s.ctx, { assetIds: [id] })).assetIds.length;
  };
  expect([await after(599_999), await after(600_000)]).toEqual([1, 0]);
});

it('the files of a row are read in the order in which they were made', async () => {
  const s = await filesScene(service);
  const generationId = await addGeneration(s);
  const made: string[] = [];
  for (const position of [2, 0, 1]) {
    const { id } = await addAsset(s, { generationId });
    await service.db.asset.update({ where: { id }, data: { position } });
    made[position] = id;
  }
  const files = await readGenerationFiles(s.ctx, { generationIds: [generationId] });
  expect(files.map(({ id }) => id)).toEqual(made);
});

describe('what comes back from the bin', () => {
  it('has thirty days before it again, if it is a file that a member sent', async () => {
    const s = await filesScene(service);
    const { id } = await addUpload(s, { ageDays: 29 });
    await deleteUpload(s.ctx, { uploadId: id });
    await restoreBinned(s.ctx, { kind: 'upload', id });
    const [upload] = (await listUploads(s.ctx)).uploads;
    expect(upload?.expiresAt).toEqual(new Date(s.clock.now().getTime() + 30 * DAY_MS));
  });

  it('is not said to have stayed when somebody else brought it back meanwhile', async () => {
    const s = await filesScene(service);
    const { id } = await addUpload(s);
    await deleteUpload(s.ctx, { uploadId: id });
    const only = [{ kind: 'upload', id } as const, { kind: 'upload', id } as const];
    expect(await restoreAllBinned(s.ctx, { only })).toEqual({ restored: [{ kind: 'upload', id }], left: 0 });
  });
});

it('what went to the bin waits there for thirty days to the instant, then is neither shown nor spared', async () => {
  const s = await filesScene(service);
  const binned = async (ageMs: number) => {
    const { id } = await addUpload(s);
    const deletedAt = new Date(s.clock.now().getTime() - ageMs);
    await service.db.upload.update({ where: { id }, data: { deletedAt, binnedBy: s.owner.memberId } });
    return id;
  };
  const [last, over] = [await binned(30 * DAY_MS), await binned(30 * DAY_MS + 1)];
  expect((await listBinned(s.ctx)).items.map(({ id }) => id)).toEqual([last]);
  await eraseExpiredBinned(s.cron);
  const left = await service.db.upload.findMany({
    where: { id: { in: [last, over] }, binnedBy: { not: null } },
  });
  expect(left.map(({ id }) => id)).toEqual([last]);
});

describe('a purge of a product that left the registry', () => {
  it('is complete whatever another account runs under that name', async () => {
    const [s, stranger] = [await filesScene(service), await filesScene(service)];
    const productId = 'ancien-homonyme';
    await addAsset(s, { productId });
    await addGeneration(stranger, { productId, state: 'SUBMITTED' });
    expect(await purgeProductBlobs(s.ctx, productId)).toMatchObject({ complete: true, error: null });
  });

  it('is of nobody whose files are not all those under that name: two accounts have it, and neither purges the other’s', async () => {
    const [s, stranger] = [await filesScene(service), await filesScene(service)];
    const productId = 'ancien-partage';
    await addAsset(s, { productId });
    await addUpload(stranger, { productId });
    for (const one of [s, stranger])
      await expect(purgeProductBlobs(one.ctx, productId)).rejects.toMatchObject({ code: 'not_found' });
  });
});
