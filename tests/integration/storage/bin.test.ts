import { describe, expect, it } from 'vitest';
import { erasedWords } from '#app/(cockpit)/corbeille/erased-words.ts';
import { createId } from '#lib/core/ids.ts';
import { deleteAvatar, listAvatars, saveAvatar } from '#lib/storage/assets/avatars.ts';
import { attachToConcept, deleteConcept, listConcepts } from '#lib/storage/assets/concepts.ts';
import { readFileRetention } from '#lib/storage/assets/read-file-retention.ts';
import { BINNED_KINDS, type BinnedRef } from '#lib/storage/bin/binned-kinds.ts';
import { eraseBinned } from '#lib/storage/bin/erase-binned.ts';
import { eraseExpiredBinned } from '#lib/storage/bin/erase-expired-binned.ts';
import { listBinned } from '#lib/storage/bin/list-binned.ts';
import { readBinnedFiles } from '#lib/storage/bin/read-binned-files.ts';
import { restoreAllBinned } from '#lib/storage/bin/restore-all-binned.ts';
import { restoreBinned } from '#lib/storage/bin/restore-binned.ts';
import { deleteGenerationFiles } from '#lib/storage/deletion/delete-generation-files.ts';
import { purgeProductBlobs } from '#lib/storage/deletion/purge-product.ts';
import { readFiles } from '#lib/storage/offboarding/sections.ts';
import { thumbnailPathname } from '#lib/storage/pathnames.ts';
import { openFile } from '#lib/storage/serving/open-file.ts';
import { CopyRefused } from '#lib/storage/stores/owned-store.ts';
import { openBinnedThumbnail } from '#lib/storage/thumbnails/open-thumbnail.ts';
import { deleteUpload } from '#lib/storage/uploads/delete-upload.ts';
import { setStorageQuota } from '#lib/storage/uploads/set-storage-quota.ts';
import { holdStorage, readStorageUse } from '#lib/storage/uploads/storage-quota.ts';
import { makeMember, memberActor } from '#tests/factories/account.ts';
import { addConcept } from '#tests/factories/files/concept.ts';
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
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { oneAcrossAnother } from '#tests/factories/statements/one-across-another.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 10 });

const asked = (pathname: string) => ({
  ...{ pathname, range: null, ifRange: null, ifNoneMatch: null },
  ...{ download: false, withoutBody: true },
});

/** One thing of each kind, deleted by the member of the scene. */
async function filled(s: FilesScene) {
  const file = await addAsset(s, { ageDays: 40 });
  const face = await addAsset(s, { ageDays: 40 });
  const gathered = await addAsset(s, { ageDays: 40 });
  const upload = await addUpload(s, { ageDays: 10 });
  const avatar = await saveAvatar(s.ctx, { assetId: face.id, name: 'Agnès' });
  const concept = await addConcept(s.ctx, { productId: 'libre', name: 'Nuit claire' });
  await attachToConcept(s.ctx, { conceptId: concept.id, assetId: gathered.id });
  await deleteGenerationFiles(s.ctx, { generationId: file.generationId ?? '' });
  await deleteUpload(s.ctx, { uploadId: upload.id });
  await deleteAvatar(s.ctx, { avatarId: avatar.id });
  await deleteConcept(s.ctx, { conceptId: concept.id });
  const refs: BinnedRef[] = [
    { kind: 'files', id: file.generationId ?? '' },
    { kind: 'upload', id: upload.id },
    { kind: 'avatar', id: avatar.id },
    { kind: 'concept', id: concept.id },
  ];
  return { file, face, gathered, upload, avatar, concept, refs };
}

const kindsOf = async (s: FilesScene) => (await listBinned(s.ctx)).items.map(({ kind }) => kind).sort();
const codesOf = async (work: Promise<unknown>[]) =>
  (await Promise.allSettled(work)).map((one) => (one.status === 'rejected' ? one.reason.code : 'done'));

describe('what a member deletes of the studio', () => {
  it('waits in the bin with what it was, its bytes there and out of reach, and keeps its room', async () => {
    const s = await filesScene(service);
    const before = await readStorageUse(s.ctx);
    const { file, upload, avatar, concept } = await filled(s);
    const { items, total, bytes } = await listBinned(s.ctx);
    expect(total).toEqual({ files: 1, upload: 1, avatar: 1, concept: 1 });
    const one = (kind: string) => items.find((item) => item.kind === kind);
    expect(one('files')).toMatchObject({
      // No thumbnail was made of it: there is nothing to show.
      ...{ id: file.generationId, name: 'essai', what: 'IMAGE', files: 1, pathname: null },
      erasedAt: new Date(s.clock.now().getTime() + 30 * DAY_MS),
    });
    expect(one('upload')).toMatchObject({ id: upload.id, what: 'RUSH', pathname: null });
    expect(one('avatar')).toMatchObject({ id: avatar.id, name: 'Agnès' });
    expect(one('concept')).toMatchObject({ id: concept.id, name: 'Nuit claire', files: 1 });
    const { name } = await service.db.member.findUniqueOrThrow({ where: { id: s.owner.memberId } });
    for (const item of items) expect(item).toMatchObject({ by: name, deletedAt: s.clock.now() });
    for (const { pathname } of [file, upload]) {
      expect(s.store.files.has(pathname)).toBe(true);
      await expect(openFile(s.ctx, asked(pathname))).rejects.toMatchObject({ code: 'not_found' });
    }
    const use = await readStorageUse(s.ctx);
    expect(use.binnedBytes).toBe(BigInt(bytes));
    expect(use.storedBytes).toBeGreaterThan(before.storedBytes + use.binnedBytes);
    expect(await readBinnedFiles(s.ctx, { generationIds: [file.generationId ?? ''] })).toEqual([
      {
        generationId: file.generationId,
        erasedAt: new Date(s.clock.now().getTime() + 30 * DAY_MS),
        files: 1,
      },
    ]);
    expect(await listAvatars(s.ctx)).toEqual([]);
    expect(await listConcepts(s.ctx)).toEqual([]);
  });

  it('survives retention and the orphan pass for its 30 days, however old, with what an avatar or a concept of the bin holds', async () => {
    const s = await quietFilesScene(service);
    const { file, face, gathered, upload } = await filled(s);
    s.clock.advance(30 * DAY_MS);
    expect(await eraseExpiredBinned(s.cron)).toMatchObject({ erased: 0 });
    expect(await night(s)).toMatchObject({ assets: { expired: 0 }, orphans: { expired: 0 } });
    for (const { pathname } of [file, face, gathered, upload]) expect(s.store.files.has(pathname)).toBe(true);
  });

  it('comes back one by one as it was, with 30 days before it again, and the row with its files', async () => {
    const s = await quietFilesScene(service);
    const { file, upload, avatar, concept, gathered, refs } = await filled(s);
    s.clock.advance(29 * DAY_MS);
    for (const one of refs) await restoreBinned(s.ctx, one);
    expect(await kindsOf(s)).toEqual([]);
    expect(await openFile(s.ctx, asked(file.pathname))).toMatchObject({ status: 200 });
    expect(await openFile(s.ctx, asked(upload.pathname))).toMatchObject({ status: 200 });
    expect(await listAvatars(s.ctx)).toMatchObject([{ id: avatar.id, name: 'Agnès' }]);
    expect(await listConcepts(s.ctx)).toMatchObject([{ id: concept.id, files: 1 }]);
    const row = await service.db.generation.findUniqueOrThrow({ where: { id: file.generationId ?? '' } });
    expect(row).toMatchObject({ statusKey: 'done', filesDeletedAt: null, filesDeletedBy: null });
    // 69 days old: without the restart the next night would take it.
    expect(await readFileRetention(s.ctx, { assetIds: [file.id] })).toMatchObject([
      { keptBecause: 'recent', expiresAt: new Date(s.clock.now().getTime() + 30 * DAY_MS) },
    ]);
    s.clock.advance(30 * DAY_MS);
    expect(await night(s)).toMatchObject({ assets: { expired: 0 }, uploads: 0 });
    s.clock.advance(DAY_MS);
    expect(await night(s)).toMatchObject({ assets: { expired: 1 }, uploads: 1 });
    expect(s.store.files.has(gathered.pathname)).toBe(true);
    for (const action of ['generation.files', 'reference', 'avatar', 'concept'])
      expect(await auditsOf(s, `${action}${action.includes('.') ? '_' : '.'}restored`)).toHaveLength(1);
  });

  it('comes back once, whoever asks at the same time, and not while it is being erased', async () => {
    const s = await filesScene(service);
    const { refs } = await filled(s);
    for (const one of refs) {
      const codes = await codesOf([
        restoreBinned(s.ctx, one),
        restoreBinned(s.ctx, one),
        eraseBinned(s.ctx, one),
      ]);
      expect(codes.filter((code) => code === 'done')).toHaveLength(1);
      expect(codes.filter((code) => code === 'not_found')).toHaveLength(2);
    }
  });

  it('that is being erased is brought back by nobody, and that is being brought back is erased by nobody: who comes second is told', async () => {
    const s = await filesScene(service);
    const erased = await filled(s);
    for (const one of erased.refs) {
      const both = [() => eraseBinned(s.ctx, one), () => restoreBinned(s.ctx, one)] as const;
      expect([one.kind, ...(await oneBeforeAnother(service, ...both))]).toEqual([
        one.kind,
        'done',
        'not_found',
      ]);
    }
    // Its bytes are gone: shown as there, it would open nothing.
    expect(await service.db.asset.findUniqueOrThrow({ where: { id: erased.file.id } })).toMatchObject({
      deletedAt: expect.any(Date),
    });
    const restored = await filled(s);
    for (const one of restored.refs) {
      const both = [() => restoreBinned(s.ctx, one), () => eraseBinned(s.ctx, one)] as const;
      expect([one.kind, ...(await oneBeforeAnother(service, ...both))]).toEqual([
        one.kind,
        'done',
        'not_found',
      ]);
    }
    expect(s.store.files.has(restored.file.pathname)).toBe(true);
  });

  it('is deleted, or brought back, while its product is purged: one waits for the other, never crosswise', async () => {
    const s = await filesScene(service);
    const productId = 'ancien-croise';
    const { generationId } = await addAsset(s, { productId });
    const gone = { generationId: generationId ?? '' };
    const purged = async () =>
      expect(await purgeProductBlobs(s.ctx, productId)).toMatchObject({ complete: true, error: null });
    const crossing = (first: (ctx: FilesScene['ctx']) => Promise<unknown>) =>
      oneAcrossAnother(service, (kysely) => first({ ...s.ctx, kysely }), /^update "Generation"/, purged);
    expect(await crossing((ctx) => deleteGenerationFiles(ctx, gone))).toEqual(['done', 'done']);
    const { generationId: id } = await addAsset(s, { productId });
    await deleteGenerationFiles(s.ctx, { generationId: id ?? '' });
    expect(await crossing((ctx) => restoreBinned(ctx, { kind: 'files', id: id ?? '' }))).toEqual([
      'done',
      'done',
    ]);
  });

  it('is an avatar that somebody else restored meanwhile: it is gone from the bin, and not taken by another', async () => {
    const s = await filesScene(service);
    const { avatar } = await filled(s);
    const one = { kind: 'avatar', id: avatar.id } as const;
    let isFirst = true;
    const kysely = interceptedQueries(service.pool, {
      async before({ text }) {
        if (!isFirst || !/from "Asset".* for /s.test(text)) return;
        isFirst = false;
        await restoreBinned(s.ctx, one);
      },
    });
    await expect(restoreBinned({ ...s.ctx, kysely }, one)).rejects.toMatchObject({ code: 'not_found' });
    expect(isFirst).toBe(false);
    expect(await listAvatars(s.ctx)).toHaveLength(1);
  });

  it('comes back all at once, files before the avatars that show them', async () => {
    const s = await filesScene(service);
    const { face } = await filled(s);
    await deleteGenerationFiles(s.ctx, { generationId: face.generationId ?? '' });
    const [avatar] = (await listBinned(s.ctx)).items.filter(({ kind }) => kind === 'avatar');
    await expect(restoreBinned(s.ctx, { kind: 'avatar', id: avatar?.id ?? '' })).rejects.toMatchObject({
      code: 'conflict',
      options: { detail: 'binned' },
    });
    const { restored, left } = await restoreAllBinned(s.ctx);
    expect([restored.length, left]).toEqual([5, 0]);
    expect(await kindsOf(s)).toEqual([]);
    expect(await listAvatars(s.ctx)).toHaveLength(1);
  });

  it('comes back whole however much it is, past what cannot come back; each page names the next hundred of a kind, and counts all', async () => {
    const s = await filesScene(service);
    // The latest deletion of its kind, before all others in the list: its image is an avatar again.
    const { face, avatar } = await filled(s);
    await saveAvatar(s.ctx, { assetId: face.id, name: 'Agnès, bis' });
    const at = s.clock.now();
    const { accountId, memberId } = s.owner;
    await service.db.concept.createMany({
      data: Array.from({ length: 250 }, () => ({
        ...{ id: createId('concept', at), accountId, memberId, productId: 'libre', name: 'Nuit claire' },
        ...{ createdAt: at, updatedAt: at, deletedAt: at, binnedBy: memberId },
      })),
    });
    const pages = await Promise.all([0, 100, 200, 300].map((skip) => listBinned(s.ctx, { skip })));
    const concepts = pages.map(({ items }) => items.filter(({ kind }) => kind === 'concept'));
    expect(concepts.map(({ length }) => length)).toEqual([100, 100, 51, 0]);
    expect(new Set(concepts.flat().map(({ id }) => id)).size).toBe(251);
    expect(pages.map(({ total }) => total.concept)).toEqual([251, 251, 251, 0]);
    const first = await restoreAllBinned(s.ctx, { kind: 'concept' });
    expect([first.restored.length, first.left]).toEqual([251, 0]);
    expect((await listBinned(s.ctx)).total).toMatchObject({ concept: 0, files: 1, avatar: 1 });
    const second = await restoreAllBinned(s.ctx);
    expect([second.restored.length, second.left]).toEqual([2, 1]);
    expect((await listBinned(s.ctx)).items).toMatchObject([{ kind: 'avatar', id: avatar.id }]);
  });

  it('is not an avatar twice: one that was kept again stays, the other waits', async () => {
    const s = await filesScene(service);
    const { face, avatar } = await filled(s);
    const again = await saveAvatar(s.ctx, { assetId: face.id, name: 'Agnès, bis' });
    await expect(restoreBinned(s.ctx, { kind: 'avatar', id: avatar.id })).rejects.toMatchObject({
      code: 'conflict',
      options: { detail: 'avatar' },
    });
    expect((await restoreAllBinned(s.ctx)).left).toBe(1);
    expect(await listAvatars(s.ctx)).toMatchObject([{ id: again.id }]);
  });

  it('is another account’s business alone, seen and brought back by who may generate, erased by founders', async () => {
    const s = await filesScene(service);
    const { file, refs } = await filled(s);
    const stranger = await filesScene(service);
    for (const verb of [restoreBinned, eraseBinned])
      expect(await codesOf(refs.map((one) => verb(stranger.ctx, one)))).toEqual(
        BINNED_KINDS.map(() => 'not_found'),
      );
    expect((await listBinned(stranger.ctx)).items).toEqual([]);
    expect(await readBinnedFiles(stranger.ctx, { generationIds: [file.generationId ?? ''] })).toEqual([]);
    await expect(openBinnedThumbnail(stranger.ctx, asked(file.pathname))).rejects.toMatchObject({
      code: 'not_found',
    });
    const reader = await makeMember(service, s.owner.accountId, { role: 'MEMBER', permissions: [] });
    const asReader = { ...s.ctx, actor: memberActor(reader) };
    expect((await listBinned(asReader)).items).toEqual([]);
    expect(new Set(await codesOf(refs.map((one) => restoreBinned(asReader, one))))).toEqual(
      new Set(['forbidden']),
    );
    const maker = await makeMember(service, s.owner.accountId, { role: 'MEMBER', permissions: ['generate'] });
    const asMaker = { ...s.ctx, actor: memberActor(maker) };
    expect(new Set(await codesOf(refs.map((one) => eraseBinned(asMaker, one))))).toEqual(
      new Set(['forbidden']),
    );
    expect((await listBinned(asMaker)).items).toHaveLength(4);
    expect(new Set(await codesOf(refs.map((one) => restoreBinned(asMaker, one))))).toEqual(new Set(['done']));
  });

  it('shows the thumbnail that was made of it, and nothing else of it', async () => {
    const s = await filesScene(service);
    const file = await addAsset(s);
    const thumbnail = thumbnailPathname(file.pathname);
    const { etag } = await s.store.put(thumbnail, Buffer.from('webp'), { contentType: 'image/webp' });
    await service.db.asset.update({
      where: { id: file.id },
      data: { thumbnail: etag, thumbnailAt: s.clock.now() },
    });
    const generationId = file.generationId ?? '';
    await deleteGenerationFiles(s.ctx, { generationId });
    expect((await listBinned(s.ctx)).items).toMatchObject([{ pathname: file.pathname }]);
    expect(await openBinnedThumbnail(s.ctx, asked(file.pathname))).toMatchObject({ status: 200 });
    await eraseBinned(s.ctx, { kind: 'files', id: generationId });
    expect(s.store.files.size).toBe(0);
    await expect(openBinnedThumbnail(s.ctx, asked(file.pathname))).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('is in the account’s export, and counts in its room, which says how much of it the bin takes', async () => {
    const s = await filesScene(service);
    const file = await addAsset(s, { content: 'x'.repeat(2_000_000) });
    await deleteGenerationFiles(s.ctx, { generationId: file.generationId ?? '' });
    const listed = await readFiles(service.kysely, 'Asset', { accountId: s.owner.accountId, after: '' });
    expect(listed.map(({ pathname }) => pathname)).toEqual([file.pathname]);
    await setStorageQuota(
      { ...s.ctx, actor: { type: 'admin' } },
      { accountId: s.owner.accountId, bytes: 2_500_000n },
    );
    const hold = () =>
      holdStorage(s.ctx, {
        stem: 'references/libre/a',
        bytes: 1_000_000,
        expiresAt: new Date(s.clock.now().getTime() + 60_000),
      });
    await expect(hold()).rejects.toMatchObject({
      options: {
        detail: 'storage-full',
        message: expect.stringContaining('dont 2\u00a0Mo dans la corbeille'),
      },
    });
    await eraseBinned(s.ctx, { kind: 'files', id: file.generationId ?? '' });
    await expect(hold()).resolves.toMatchObject({ holdId: expect.any(String) });
  });
});

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
