import { describe, expect, it } from 'vitest';
import { erasedWords } from '#app/(cockpit)/corbeille/erased-words.ts';
import { eraseBinned } from '#lib/storage/bin/erase-binned.ts';
import { eraseExpiredBinned } from '#lib/storage/bin/erase-expired-binned.ts';
import { listBinned } from '#lib/storage/bin/list-binned.ts';
import { readBinnedFiles } from '#lib/storage/bin/read-binned-files.ts';
import { restoreBinned } from '#lib/storage/bin/restore-binned.ts';
import { deleteGenerationFiles } from '#lib/storage/deletion/delete-generation-files.ts';
import { purgeProductBlobs } from '#lib/storage/deletion/purge-product.ts';
import { thumbnailPathname } from '#lib/storage/pathnames.ts';
import { openFile } from '#lib/storage/serving/open-file.ts';
import { CopyRefused } from '#lib/storage/stores/owned-store.ts';
import { deleteUpload } from '#lib/storage/uploads/delete-upload.ts';
import {
  addAsset,
  addGeneration,
  addUpload,
  auditsOf,
  DAY_MS,
  type FilesScene,
  filesScene,
  night,
  quietFilesScene,
} from '#tests/factories/files/files.ts';
import { claimedMeanwhile } from '#tests/factories/statements/claimed-meanwhile.ts';
import { useTestService } from '#tests/setup/service.ts';
import { asked, codesOf, filled, kindsOf } from './filled.ts';

const service = useTestService({ poolMax: 10 });

describe('after 30 days', () => {
  it('it is erased once, whoever runs the night, bytes and thumbnail and names with it', async () => {
    const s = await quietFilesScene(service);
    const { file, face, gathered, upload, refs } = await filled(s);
    const thumbnail = thumbnailPathname(file.pathname);
    await s.store.put(thumbnail, Buffer.from('webp'), { contentType: 'image/webp' });
    await service.db.asset.update({ where: { id: file.id }, data: { thumbnailAt: s.clock.now() } });
    s.clock.advance(30 * DAY_MS + 1);
    expect(new Set(await codesOf(refs.map((one) => restoreBinned(s.ctx, one))))).toEqual(
      new Set(['not_found']),
    );
    // Before the night, too: what cannot come back is offered nowhere.
    expect((await listBinned(s.ctx)).items).toEqual([]);
    expect(await readBinnedFiles(s.ctx, { generationIds: [file.generationId ?? ''] })).toEqual([]);
    const nights = await Promise.all([1, 2, 3].map(() => eraseExpiredBinned(s.cron, { batch: 1 })));
    expect(nights.reduce((sum, one) => sum + one.erased, 0)).toBe(4);
    for (const pathname of [file.pathname, thumbnail, upload.pathname])
      expect(s.store.files.has(pathname)).toBe(false);
    for (const { pathname } of [face, gathered]) expect(s.store.files.has(pathname)).toBe(true);
    const { accountId } = s.owner;
    expect(await service.db.avatar.count({ where: { accountId } })).toBe(0);
    expect(await service.db.concept.count({ where: { accountId } })).toBe(0);
    const row = await service.db.generation.findUniqueOrThrow({ where: { id: file.generationId ?? '' } });
    expect(row).toMatchObject({ statusKey: 'deleted', filesDeletedBy: 'member', costMicros: 42_000n });
    expect((await auditsOf(s, 'generation.files_erased')).map((entry) => entry.data)).toEqual([
      { reason: 'expired', assetIds: [file.id], pathnames: [file.pathname] },
    ]);
    for (const action of ['reference.erased', 'avatar.erased', 'concept.erased'])
      expect(await auditsOf(s, action)).toHaveLength(1);
    expect(await eraseExpiredBinned(s.cron)).toMatchObject({ erased: 0 });
  });

  it('what somebody is bringing back is left alone: the night waits for nobody, and counts what it erased', async () => {
    const s = await quietFilesScene(service);
    const { id: uploadId } = await addUpload(s, { ageDays: 10 });
    await deleteUpload(s.ctx, { uploadId });
    s.clock.advance(31 * DAY_MS);
    const claim = {
      text: 'UPDATE "Upload" SET "deletedAt" = NULL, "deletedBy" = NULL, "binnedBy" = NULL WHERE "id" = $1',
      values: [uploadId],
    };
    const { came, waited } = await claimedMeanwhile(service, claim, () => eraseExpiredBinned(s.cron));
    expect([came.erased, waited]).toEqual([0, false]);
  });

  it('each account has its turn: what one deleted without end keeps no other’s bytes there, however short the nights', async () => {
    const s = await quietFilesScene(service);
    const beside = async (): Promise<FilesScene> => ({
      ...(await filesScene(service, { store: s.store })),
      store: s.store,
    });
    const [one, other] = [await beside(), await beside()];
    const drop = async (on: FilesScene) => {
      const file = await addAsset(on);
      await deleteGenerationFiles(on.ctx, { generationId: file.generationId ?? '' });
      return file.pathname;
    };
    const left = (pathnames: readonly string[]) => pathnames.filter((name) => s.store.files.has(name)).length;
    const many: string[] = [];
    for (let n = 0; n < 6; n += 1) many.push(await drop(s));
    for (const late of [one, other]) late.clock.advance(60_000);
    const few = [await drop(one), await drop(other)];
    s.clock.advance(31 * DAY_MS);
    let ms = 0;
    let costMs = 4_000;
    const remove = s.store.delete;
    s.store.delete = (...args) => {
      ms += costMs;
      return remove(...args);
    };
    // Ten seconds: three files, then one.
    const short = (batch: number) => {
      ms = 0;
      return eraseExpiredBinned(s.cron, { batch, elapsedMs: () => ms });
    };
    expect(await short(3)).toEqual({ erased: 3, refused: 0, complete: false });
    expect([left(few), left(many)]).toEqual([0, 5]);
    // The account that had no turn last night is the first of the next.
    const again = await drop(one);
    costMs = 10_000;
    for (let n = 0; n < 2; n += 1) expect(await short(1)).toMatchObject({ erased: 1, complete: false });
    expect([left([again]), left(many)]).toEqual([0, 4]);
    costMs = 0;
    expect(await short(3)).toEqual({ erased: 4, refused: 0, complete: true });
    expect(left(many)).toBe(0);
  });

  it('what the store refuses is audited, and the orphan pass of the same night takes it', async () => {
    const s = await quietFilesScene(service);
    const file = await addAsset(s, { ageDays: 2 });
    await deleteGenerationFiles(s.ctx, { generationId: file.generationId ?? '' });
    s.clock.advance(31 * DAY_MS);
    const remove = s.store.delete;
    s.store.delete = () => Promise.reject(Object.assign(new Error('SECRET'), { status: 503 }));
    expect(await eraseExpiredBinned(s.cron)).toMatchObject({ erased: 1, refused: 1 });
    s.store.delete = remove;
    expect(s.store.files.has(file.pathname)).toBe(true);
    expect((await auditsOf(s, 'generation.files_delete_failed')).map((entry) => entry.data)).toEqual([
      { by: 'bin', assetIds: [file.id], pathnames: [file.pathname] },
    ]);
    expect(JSON.stringify(s.lines)).not.toContain('SECRET');
    expect(await night(s)).toMatchObject({ orphans: { expired: 1 } });
    expect(s.store.files.has(file.pathname)).toBe(false);
  });

  it('what the store refuses to erase before its time is gone for everybody, and its bytes once they lay there for 30 days', async () => {
    const s = await quietFilesScene(service);
    const file = await addAsset(s, { ageDays: 2 });
    const one = { kind: 'files', id: file.generationId ?? '' } as const;
    await deleteGenerationFiles(s.ctx, { generationId: one.id });
    const remove = s.store.delete;
    s.store.delete = () => Promise.reject(new TypeError('reset'));
    expect(await eraseBinned(s.ctx, one)).toEqual({ files: 1, refused: 1, because: 'silent' });
    s.store.delete = remove;
    await expect(openFile(s.ctx, asked(file.pathname))).rejects.toMatchObject({ code: 'not_found' });
    await expect(restoreBinned(s.ctx, one)).rejects.toMatchObject({ code: 'not_found' });
    s.clock.advance(28 * DAY_MS);
    expect(await night(s)).toMatchObject({ orphans: { expired: 0 } });
    s.clock.advance(1);
    expect(await night(s)).toMatchObject({ orphans: { expired: 1 } });
    expect(s.store.files.has(file.pathname)).toBe(false);
  });

  it.each([
    [new CopyRefused(), 'copy'],
    [Object.assign(new Error('no'), { status: 403 }), 'refused'],
    [Object.assign(new Error('busy'), { status: 429 }), 'silent'],
    [Object.assign(new Error('down'), { status: 503 }), 'silent'],
  ] as const)('what keeps its bytes there is told apart: %s is %s', async (fault, because) => {
    const s = await quietFilesScene(service);
    const file = await addAsset(s);
    await deleteGenerationFiles(s.ctx, { generationId: file.generationId ?? '' });
    s.store.delete = () => Promise.reject(fault);
    const done = await eraseBinned(s.ctx, { kind: 'files', id: file.generationId ?? '' });
    expect(done).toEqual({ files: 1, refused: 1, because });
    const said = erasedWords(done);
    expect(said.includes('n’a pas répondu')).toBe(because === 'silent');
    // What a copy leaves there is its original's: no night of this service takes it.
    expect(said.includes('trente jours')).toBe(because !== 'copy');
  });

  it('bytes that changed since they were recorded are not erased for what they replaced', async () => {
    const s = await quietFilesScene(service);
    const file = await addAsset(s);
    const upload = await addUpload(s);
    await deleteGenerationFiles(s.ctx, { generationId: file.generationId ?? '' });
    await deleteUpload(s.ctx, { uploadId: upload.id });
    s.clock.advance(31 * DAY_MS);
    for (const { pathname } of [file, upload])
      await s.store.put(pathname, Buffer.from('other bytes'), { contentType: 'image/png' });
    expect(await eraseExpiredBinned(s.cron)).toMatchObject({ erased: 2 });
    for (const { pathname } of [file, upload]) expect(s.store.files.has(pathname)).toBe(true);
  });
});

describe('what must go at once', () => {
  it('is erased by a founder whatever lies there by now; what is still there is told as refused', async () => {
    const s = await filesScene(service);
    const file = await addAsset(s);
    const upload = await addUpload(s);
    await deleteGenerationFiles(s.ctx, { generationId: file.generationId ?? '' });
    await deleteUpload(s.ctx, { uploadId: upload.id });
    const replace = (pathname: string, text: string) =>
      s.store.put(pathname, Buffer.from(text), { contentType: 'image/png' });
    for (const { pathname } of [file, upload]) await replace(pathname, 'other bytes');
    const files = { kind: 'files', id: file.generationId ?? '' } as const;
    expect(await eraseBinned(s.ctx, files)).toEqual({ files: 1, refused: 0, because: null });
    expect(s.store.files.has(file.pathname)).toBe(false);
    // Replaced again between the look at it and its deletion.
    const { head } = s.store;
    s.store.head = async (pathname) => {
      const seen = await head(pathname);
      await replace(pathname, 'bytes once more');
      return seen;
    };
    expect(await eraseBinned(s.ctx, { kind: 'upload', id: upload.id })).toEqual({
      files: 1,
      refused: 1,
      because: 'changed',
    });
    expect(await auditsOf(s, 'generation.files_delete_failed')).toHaveLength(1);
  });

  it('goes with the purge of its product, in the bin or not', async () => {
    const s = await filesScene(service);
    const productId = 'ancien-corbeille';
    const generationId = await addGeneration(s, { productId });
    const file = await addAsset(s, { productId, generationId });
    const upload = await addUpload(s, { productId });
    await deleteGenerationFiles(s.ctx, { generationId });
    await deleteUpload(s.ctx, { uploadId: upload.id });
    expect(await purgeProductBlobs(s.ctx, productId)).toMatchObject({
      deletedAssets: 1,
      deletedReferences: 1,
      complete: true,
    });
    expect([file.pathname, upload.pathname].some((name) => s.store.files.has(name))).toBe(false);
    expect(await kindsOf(s)).toEqual([]);
    await expect(restoreBinned(s.ctx, { kind: 'files', id: generationId })).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('what retention had decided about does not wait in the bin: its bytes may be gone', async () => {
    const s = await filesScene(service);
    const file = await addAsset(s);
    await service.db.asset.update({ where: { id: file.id }, data: { expiringAt: s.clock.now() } });
    await deleteGenerationFiles(s.ctx, { generationId: file.generationId ?? '' });
    expect(await kindsOf(s)).toEqual([]);
    const row = await service.db.generation.findUniqueOrThrow({ where: { id: file.generationId ?? '' } });
    expect(row.statusKey).toBe('deleted');
  });
});
