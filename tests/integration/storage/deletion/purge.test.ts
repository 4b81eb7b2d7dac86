import { describe, expect, it } from 'vitest';
import { saveAvatar } from '#lib/storage/assets/avatars.ts';
import { keepCaptureRush } from '#lib/storage/assets/capture-rushes.ts';
import { attachToConcept } from '#lib/storage/assets/concepts.ts';
import { readFileRetention } from '#lib/storage/assets/read-file-retention.ts';
import { deleteGenerationFiles } from '#lib/storage/deletion/delete-generation-files.ts';
import { listUnregisteredProducts } from '#lib/storage/deletion/list-unregistered-products.ts';
import { purgeProductBlobs } from '#lib/storage/deletion/purge-product.ts';
import { makeMember, memberActor } from '#tests/factories/account.ts';
import { addConcept } from '#tests/factories/files/concept.ts';
import { addConsent } from '#tests/factories/files/consent.ts';
import {
  addAsset,
  addGeneration,
  addUpload,
  auditsOf,
  type FilesScene,
  filesScene,
  putOld,
} from '#tests/factories/files/files.ts';
import { claimedMeanwhile } from '#tests/factories/statements/claimed-meanwhile.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { takenInOrder } from '#tests/factories/statements/taken-in-order.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
let count = 0;
/** A product that left the registry. */
const retired = () => {
  count += 1;
  return `ancien-${count}`;
};

type Upload = Awaited<ReturnType<typeof addUpload>>;

async function shelf(s: FilesScene, productId: string) {
  const face = await addAsset(s, { productId, state: 'APPROVED' });
  await saveAvatar(s.ctx, { assetId: face.id, name: 'Camille' });
  const other = await addAsset(s, { productId, ageDays: 3 });
  const upload = await addUpload(s, { productId });
  await keepCaptureRush(s.ctx, { uploadId: upload.id, title: 'Matin' });
  await putOld(s, `products/${productId}/logo.svg`, Buffer.from('<svg/>'), s.clock.now());
  await putOld(s, `products/${productId}/a/b.png`, Buffer.from('png'), s.clock.now());
  return { face, other, upload };
}

describe('a product purge', () => {
  it('deletes every file of a product that left the registry; rows, costs and audit stay', async () => {
    const s = await filesScene(service);
    const productId = retired();
    await shelf(s, productId);
    const bystander = await addAsset(s, { productId: 'libre' });
    await putOld(s, `products/${productId}-bis/x.png`, Buffer.from('x'), s.clock.now());
    const bytes = [...s.store.files.values()].reduce((sum, file) => sum + file.bytes, 0);
    const report = await purgeProductBlobs(s.ctx, productId);
    const left = [...s.store.files.values()].reduce((sum, file) => sum + file.bytes, 0);
    expect(report).toEqual({
      prefix: `products/${productId}/`,
      removedObjects: 5,
      removedBytes: bytes - left,
      clearedGenerations: 2,
      deletedAssets: 2,
      deletedAvatars: 1,
      deletedReferences: 1,
      clearedCaptures: 1,
      complete: true,
      error: null,
    });
    expect([...s.store.files.keys()].sort()).toEqual(
      [bystander.pathname, `products/${productId}-bis/x.png`].sort(),
    );
    const rows = await service.db.generation.findMany({ where: { productId } });
    expect(rows.length).toBeGreaterThanOrEqual(2);
    for (const row of rows)
      expect(row).toMatchObject({ statusKey: 'deleted', filesDeletedBy: 'purge', costMicros: 42_000n });
    const [entry] = await auditsOf(s, 'product.blobs_purged');
    expect(entry).toMatchObject({ subjectId: productId, data: report });
    const again = await purgeProductBlobs(s.ctx, productId);
    expect(again).toMatchObject({ removedObjects: 0, deletedAssets: 0, complete: true });
  });

  it('counts every object that it deletes, once: rushes and avatars with bytes of their own too, whatever the store still lists', async () => {
    const s = await filesScene(service);
    const productId = retired();
    const { face } = await shelf(s, productId);
    const at = s.clock.now();
    const { accountId, memberId } = s.owner;
    const row = { accountId, memberId, productId, createdAt: at };
    await putOld(s, `avatars/${productId}.png`, Buffer.from('an avatar of the former application'), at);
    await service.db.avatar.create({
      data: {
        ...row,
        id: `ava_own_${productId}`,
        assetId: face.id,
        name: 'Camille',
        pathname: `avatars/${productId}.png`,
      },
    });
    await putOld(s, `references/${productId}/rush.mp4`, Buffer.from('a rush without an upload'), at);
    // Two rows of one file, and one whose file is gone.
    for (const [id, name] of [
      ['a', 'rush'],
      ['b', 'rush'],
      ['c', 'gone'],
    ])
      await service.db.captureRush.create({
        data: {
          ...row,
          id: `rus_${id}_${productId}`,
          title: 'Soir',
          contentType: 'video/mp4',
          bytes: 24n,
          pathname: `references/${productId}/${name}.mp4`,
        },
      });
    // A file of the product's own folder that an asset names too, in a store that lists late.
    const inFolder = await addAsset(s, { productId, pathname: `products/${productId}/named.png` });
    const { list } = s.store;
    const late = await list({ prefix: `products/${productId}/` });
    s.store.list = async (options) =>
      options.prefix.startsWith(`products/${productId}/`) ? late : list(options);
    const before = [...s.store.files.values()];
    const report = await purgeProductBlobs(s.ctx, productId);
    const gone = before.filter((file) => !s.store.files.has(file.pathname));
    expect(gone.map((file) => file.pathname)).toContain(inFolder.pathname);
    expect(report).toMatchObject({
      removedObjects: gone.length,
      removedBytes: gone.reduce((sum, file) => sum + file.bytes, 0),
      clearedCaptures: 4,
      deletedAvatars: 2,
      complete: true,
    });
    const [entry] = await auditsOf(s, 'product.blobs_purged');
    expect(entry?.data).toEqual(report);
  });

  it('leaves the bytes of rows imported from the former application: they are in a store of its own', async () => {
    const s = await filesScene(service);
    const productId = retired();
    const imported = await addAsset(s, { productId, imported: true });
    const own = await addAsset(s, { productId });
    const report = await purgeProductBlobs(s.ctx, productId);
    expect(report).toMatchObject({ removedObjects: 1, deletedAssets: 2, complete: true });
    expect([...s.store.files.keys()]).toEqual([imported.pathname]);
    expect(s.store.files.has(own.pathname)).toBe(false);
  });

  it('leaves the signed document of a consent, which it counts apart; a document that no consent names goes', async () => {
    const s = await filesScene(service);
    const productId = retired();
    const proof = await addUpload(s, { productId, kind: 'DOCUMENT' });
    const unnamed = await addUpload(s, { productId, kind: 'DOCUMENT' });
    await addConsent(s, proof);
    const report = await purgeProductBlobs(s.ctx, productId);
    expect(report).toMatchObject({
      deletedReferences: 1,
      keptConsents: 1,
      removedObjects: 1,
      complete: true,
    });
    expect([s.store.files.has(proof.pathname), s.store.files.has(unnamed.pathname)]).toEqual([true, false]);
    expect(await service.db.upload.findUniqueOrThrow({ where: { id: proof.id } })).toMatchObject({
      deletedAt: null,
      expiringAt: null,
    });
    const [entry] = await auditsOf(s, 'product.blobs_purged');
    expect(entry?.data).toEqual(report);
    const left = (await listUnregisteredProducts(s.ctx, [])).find((one) => one.productId === productId);
    expect(left).toMatchObject({ uploads: 0, bytes: 0n });
    // Again, and for as long as the consent is there.
    expect(await purgeProductBlobs(s.ctx, productId)).toMatchObject({
      deletedReferences: 0,
      keptConsents: 1,
    });
  });

  it('takes no upload that becomes the document of a consent while it goes on', async () => {
    const s = await filesScene(service);
    const productId = retired();
    const upload = await addUpload(s, { productId, kind: 'DOCUMENT' });
    const kysely = interceptedQueries(service.connection.pool, {
      async before({ label }) {
        if (label !== 'storage.retention_lock') return;
        await addConsent(s, upload);
      },
    });
    const report = await purgeProductBlobs({ ...s.ctx, kysely }, productId);
    expect(report).toMatchObject({ deletedReferences: 0, keptConsents: 1, complete: true });
    expect(s.store.files.has(upload.pathname)).toBe(true);
  });

  it.each([
    ['Asset', addAsset, 'deletedAssets'],
    ['Upload', addUpload, 'deletedReferences'],
  ] as const)('takes files (%s) in the order in which requests touch them', async (table, add, count) => {
    const s = await filesScene(service);
    const productId = retired();
    const last = await add(s, { productId, ageDays: 1 });
    const first = await add(s, { productId, ageDays: 2 });
    const ids = [first.id, last.id] as const;
    const report = await takenInOrder(service, { table, ids }, () => purgeProductBlobs(s.ctx, productId));
    expect([report[count], report.error]).toEqual([2, null]);
  });

  it.each([
    ['Asset', addAsset, 'deletedAssets'],
    ['Upload', addUpload, 'deletedReferences'],
  ] as const)('counts no file (%s) whose row another purge has just taken', async (table, add, count) => {
    const s = await filesScene(service);
    const productId = retired();
    const { id } = await add(s, { productId });
    const [deleting, taken] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const { delete: remove } = s.store;
    s.store.delete = async (...asked) => {
      deleting.resolve();
      await taken.promise;
      return remove(...asked);
    };
    const purge = purgeProductBlobs(s.ctx, productId);
    await deleting.promise;
    const claim = {
      text: `UPDATE "${table}" SET "deletedAt" = now(), "deletedBy" = 'purge', "binnedBy" = NULL WHERE "id" = $1`,
      values: [id],
    };
    const { came, waited } = await claimedMeanwhile(service, claim, () => {
      taken.resolve();
      return purge;
    });
    expect([came[count], came.error, waited]).toEqual([0, null, true]);
  });

  it('is refused to members, for the free product, while registered, and to another account', async () => {
    const s = await filesScene(service);
    const productId = retired();
    await shelf(s, productId);
    const member = await makeMember(service, s.owner.accountId, {
      role: 'MEMBER',
      permissions: ['generate', 'storage.purge'],
    });
    const asMember = { ...s.ctx, actor: memberActor(member) };
    await expect(purgeProductBlobs(asMember, productId)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(purgeProductBlobs(s.ctx, 'libre')).rejects.toMatchObject({ code: 'invalid' });
    // Another account's product answers like none; one that is registered and whose files are here is refused as such.
    await expect(purgeProductBlobs(s.ctx, 'lumen-bougies')).rejects.toMatchObject({ code: 'not_found' });
    const kept = await addAsset(s, { productId: 'lumen-bougies' });
    await expect(purgeProductBlobs(s.ctx, 'lumen-bougies')).rejects.toMatchObject({
      code: 'product-registered',
      status: 409,
    });
    expect(s.store.files.has(kept.pathname)).toBe(true);
    const stranger = await filesScene(service);
    await expect(purgeProductBlobs(stranger.ctx, productId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(purgeProductBlobs(s.ctx, 'jamais-vu')).rejects.toMatchObject({ code: 'not_found' });
    const bare = { ...s.ctx, files: { ...s.ctx.files, store: null } };
    await expect(purgeProductBlobs(bare, productId)).rejects.toMatchObject({ code: 'not_configured' });
    expect(s.store.files.size).toBe(6);
  });

  it('that the store or the time cut short says so, and resumes when it is run again', async () => {
    const s = await filesScene(service);
    const productId = retired();
    await shelf(s, productId);
    const remove = s.store.delete;
    let calls = 0;
    s.store.delete = (...args) => {
      calls += 1;
      return calls > 1 ? Promise.reject(new TypeError('reset')) : remove(...args);
    };
    expect(await purgeProductBlobs(s.ctx, productId)).toMatchObject({
      deletedAssets: 2,
      deletedReferences: 0,
      hiddenReferences: 1,
      complete: false,
      error: 'TypeError',
    });
    const [entry] = await auditsOf(s, 'product.blobs_purged');
    expect(entry?.data).toMatchObject({ hiddenReferences: 1, complete: false });
    s.store.delete = remove;
    const late = await purgeProductBlobs(s.ctx, productId, { budgetMs: 0 });
    expect(late).toMatchObject({ complete: false, error: 'time', removedObjects: 0 });
    expect(await purgeProductBlobs(s.ctx, productId)).toMatchObject({
      deletedReferences: 1,
      clearedCaptures: 1,
      complete: true,
      error: null,
    });
    expect(s.store.files.size).toBe(0);
    // All of one instant, by the clock of the scene: identifiers do not say which came first.
    const told = (await auditsOf(s, 'product.blobs_purged')).map(
      (entry) => (entry.data as { complete: boolean }).complete,
    );
    expect(told.toSorted()).toEqual([false, false, true]);
  });

  it('leaves the files of a generation that still runs, and says that it is not complete', async () => {
    const s = await filesScene(service);
    const productId = retired();
    const running = await addGeneration(s, { productId, state: 'SUBMITTED' });
    const file = await addAsset(s, { productId, generationId: running });
    expect(await purgeProductBlobs(s.ctx, productId)).toMatchObject({
      deletedAssets: 0,
      complete: false,
      error: 'running',
    });
    expect(s.store.files.has(file.pathname)).toBe(true);
  });

  it('leaves what a running generation reads, in whatever role, until it has ended', async () => {
    const s = await filesScene(service);
    const productId = retired();
    const [start, mask, clip, idle] = (await Promise.all(
      [1, 2, 3, 4].map(() => addUpload(s, { productId, kind: 'IMAGE' })),
    )) as [Upload, Upload, Upload, Upload];
    await service.db.upload.update({ where: { id: clip.id }, data: { kind: 'RUSH' } });
    await keepCaptureRush(s.ctx, { uploadId: clip.id, title: 'Matin' });
    const end = await addAsset(s, { productId });
    const voice = await addAsset(s, { productId });
    const lying = await addAsset(s, { productId, pathname: `products/${productId}/fin.png` });
    const other = await addAsset(s, { productId });
    const file = ({ id, pathname }: Upload) => ({ ref: id, pathname });
    const reader = await addGeneration(s, {
      productId,
      state: 'SUBMITTED',
      references: {
        voiceGenerationId: voice.generationId,
        roles: {
          startImage: file(start),
          endImage: file(end),
          mask: file(mask),
          clips: [file(clip)],
          fields: { photo: file(lying) },
        },
      },
    });
    const read = [start, mask, clip, end, voice, lying].map(({ pathname }) => pathname);
    const there = (pathnames: readonly string[]) => pathnames.filter((one) => s.store.files.has(one));
    expect(await purgeProductBlobs(s.ctx, productId)).toMatchObject({
      deletedAssets: 1,
      deletedReferences: 1,
      clearedCaptures: 0,
      complete: false,
      error: 'running',
    });
    expect(there(read)).toEqual(read);
    expect(there([idle.pathname, other.pathname])).toEqual([]);
    const hidden = { where: { productId, expiringAt: { not: null }, deletedAt: null } };
    expect(await service.db.upload.count(hidden)).toBe(0);
    await service.db.generation.update({
      where: { id: reader },
      data: { state: 'COMPLETED', closedAt: s.clock.now(), closedBy: 'sweep' },
    });
    expect(await purgeProductBlobs(s.ctx, productId)).toMatchObject({
      deletedAssets: 3,
      deletedReferences: 3,
      clearedCaptures: 1,
      complete: true,
    });
    expect(there(read)).toEqual([]);
  });

  it('says that it is not complete when a generation whose files it left ended before it did', async () => {
    const s = await filesScene(service);
    const productId = retired();
    const upload = await addUpload(s, { productId });
    const reader = await addGeneration(s, {
      productId,
      state: 'SUBMITTED',
      references: { roles: { clips: [{ ref: upload.id, pathname: upload.pathname }] } },
    });
    const { list } = s.store;
    s.store.list = async (...asked) => {
      await service.db.generation.update({
        where: { id: reader },
        data: { state: 'COMPLETED', closedAt: s.clock.now(), closedBy: 'sweep' },
      });
      return list(...asked);
    };
    expect(await purgeProductBlobs(s.ctx, productId)).toMatchObject({
      deletedReferences: 0,
      complete: false,
      error: 'running',
    });
    expect(await purgeProductBlobs(s.ctx, productId)).toMatchObject({ deletedReferences: 1, complete: true });
  });
});

describe('a deletion by a member', () => {
  it('puts the files of a finished generation into the bin; the row shows as deleted and keeps its cost', async () => {
    const s = await filesScene(service);
    const generationId = await addGeneration(s, { kind: 'RENDER' });
    const files = [await addAsset(s, { generationId }), await addAsset(s, { generationId })];
    const done = await deleteGenerationFiles(s.ctx, { generationId });
    expect(done.pathnames.sort()).toEqual(files.map((file) => file.pathname).sort());
    // They wait in the bin, out of everybody's reach (tests/integration/storage/bin/waiting.test.ts).
    expect(s.store.files.size).toBe(2);
    const left = await service.db.asset.findMany({ where: { generationId } });
    expect(left).toHaveLength(2);
    expect(left.every((file) => file.deletedAt !== null && file.binnedBy === s.owner.memberId)).toBe(true);
    const row = await service.db.generation.findUniqueOrThrow({ where: { id: generationId } });
    expect(row).toMatchObject({ statusKey: 'deleted', filesDeletedBy: 'member', costMicros: 42_000n });
    expect(await deleteGenerationFiles(s.ctx, { generationId })).toEqual({ generationId, pathnames: [] });
    expect((await auditsOf(s, 'generation.files_deleted')).length).toBe(1);
  });

  it('is refused while it runs, for another account’s row, and for a file that somebody keeps', async () => {
    const s = await filesScene(service);
    const running = await addGeneration(s, { state: 'SUBMITTED' });
    await expect(deleteGenerationFiles(s.ctx, { generationId: running })).rejects.toMatchObject({
      code: 'conflict',
    });
    const file = await addAsset(s);
    const stranger = await filesScene(service);
    await expect(
      deleteGenerationFiles(stranger.ctx, { generationId: file.generationId ?? '' }),
    ).rejects.toMatchObject({ code: 'not_found' });
    await saveAvatar(s.ctx, { assetId: file.id, name: 'Camille' });
    await expect(
      deleteGenerationFiles(s.ctx, { generationId: file.generationId ?? '' }),
    ).rejects.toMatchObject({
      code: 'conflict',
      options: { detail: 'avatar', subject: file.id },
    });
    expect(s.store.files.has(file.pathname)).toBe(true);
    const filed = await addAsset(s);
    const concept = await addConcept(s.ctx, { productId: 'libre', name: 'Automne' });
    await attachToConcept(s.ctx, { conceptId: concept.id, assetId: filed.id });
    await expect(
      deleteGenerationFiles(s.ctx, { generationId: filed.generationId ?? '' }),
    ).rejects.toMatchObject({ code: 'conflict', options: { detail: 'concept', subject: filed.id } });
    expect(s.store.files.has(filed.pathname)).toBe(true);
  });

  it('is refused while a running generation reads a file of it, and not for an hour after a request that is over', async () => {
    const s = await filesScene(service);
    const file = await addAsset(s);
    const generationId = file.generationId ?? '';
    const reads = { roles: { images: [{ ref: file.id, pathname: file.pathname }] } };
    const reader = await addGeneration(s, { state: 'SUBMITTED', references: reads });
    await service.db.asset.update({ where: { id: file.id }, data: { usedAt: s.clock.now() } });
    await expect(deleteGenerationFiles(s.ctx, { generationId })).rejects.toMatchObject({
      code: 'conflict',
      options: { detail: 'in-flight', subject: file.id },
    });
    await service.db.generation.update({
      where: { id: reader },
      data: { state: 'COMPLETED', closedAt: s.clock.now(), closedBy: 'sweep' },
    });
    // What took it a moment ago keeps it from the night all the same.
    expect(await readFileRetention(s.ctx, { assetIds: [file.id] })).toMatchObject([
      { lasting: 'in-flight', expiresAt: null },
    ]);
    expect(await deleteGenerationFiles(s.ctx, { generationId })).toEqual({
      generationId,
      pathnames: [file.pathname],
    });
    // In the bin its bytes are there, for whoever still reads them.
    expect(s.store.files.has(file.pathname)).toBe(true);
  });

  it.each([
    ['failed', { state: 'FAILED' }],
    ['quota', { state: 'FAILED', code: 'quota' }],
    ['no-callback', { state: 'FAILED', code: 'no-callback' }],
    ['cancelled', { state: 'CANCELLED' }],
  ] as const)('is refused for a row that is %s, which stays what it is', async (statusKey, spec) => {
    const s = await filesScene(service);
    const generationId = await addGeneration(s, { kind: 'RENDER', ...spec });
    await expect(deleteGenerationFiles(s.ctx, { generationId })).rejects.toMatchObject({
      code: 'conflict',
      options: { detail: 'not-done', message: expect.stringContaining('rien à supprimer') },
    });
    const row = await service.db.generation.findUniqueOrThrow({ where: { id: generationId } });
    expect(row).toMatchObject({ statusKey, filesDeletedAt: null });
    expect(await auditsOf(s, 'generation.files_deleted')).toEqual([]);
  });

  it('takes its files in the order in which requests touch them', async () => {
    const s = await filesScene(service);
    const generationId = await addGeneration(s);
    const last = await addAsset(s, { generationId, ageDays: 1 });
    const first = await addAsset(s, { generationId, ageDays: 2 });
    const rows = { table: 'Asset', ids: [first.id, last.id] as const };
    const { pathnames } = await takenInOrder(service, rows, () =>
      deleteGenerationFiles(s.ctx, { generationId }),
    );
    expect(pathnames).toHaveLength(2);
  });

  it('changes nothing of a finished row that never had a file', async () => {
    const s = await filesScene(service);
    const generationId = await addGeneration(s);
    expect(await deleteGenerationFiles(s.ctx, { generationId })).toEqual({ generationId, pathnames: [] });
    const row = await service.db.generation.findUniqueOrThrow({ where: { id: generationId } });
    expect(row).toMatchObject({ statusKey: 'done', filesDeletedAt: null });
  });
});
