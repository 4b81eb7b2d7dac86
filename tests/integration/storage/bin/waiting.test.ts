import { describe, expect, it } from 'vitest';
import { listAvatars } from '#lib/storage/assets/avatars.ts';
import { listConcepts } from '#lib/storage/assets/concepts.ts';
import { BINNED_KINDS } from '#lib/storage/bin/binned-kinds.ts';
import { eraseBinned } from '#lib/storage/bin/erase-binned.ts';
import { eraseExpiredBinned } from '#lib/storage/bin/erase-expired-binned.ts';
import { listBinned } from '#lib/storage/bin/list-binned.ts';
import { readBinnedFiles } from '#lib/storage/bin/read-binned-files.ts';
import { restoreBinned } from '#lib/storage/bin/restore-binned.ts';
import { deleteGenerationFiles } from '#lib/storage/deletion/delete-generation-files.ts';
import { readFiles } from '#lib/storage/offboarding/sections.ts';
import { thumbnailPathname } from '#lib/storage/pathnames.ts';
import { openFile } from '#lib/storage/serving/open-file.ts';
import { openBinnedThumbnail } from '#lib/storage/thumbnails/open-thumbnail.ts';
import { setStorageQuota } from '#lib/storage/uploads/set-storage-quota.ts';
import { holdStorage, readStorageUse } from '#lib/storage/uploads/storage-quota.ts';
import { makeMember, memberActor } from '#tests/factories/account.ts';
import { addAsset, DAY_MS, filesScene, night, quietFilesScene } from '#tests/factories/files/files.ts';
import { useTestService } from '#tests/setup/service.ts';
import { asked, codesOf, filled } from './filled.ts';

const service = useTestService({ poolMax: 10 });

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
      id: file.generationId,
      name: 'essai',
      what: 'IMAGE',
      files: 1,
      pathname: null,
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
