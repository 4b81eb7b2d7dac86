import { describe, expect, it } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { listAvatars, saveAvatar } from '#lib/storage/assets/avatars.ts';
import { listConcepts } from '#lib/storage/assets/concepts.ts';
import { readFileRetention } from '#lib/storage/assets/read-file-retention.ts';
import { eraseBinned } from '#lib/storage/bin/erase-binned.ts';
import { listBinned } from '#lib/storage/bin/list-binned.ts';
import { restoreAllBinned } from '#lib/storage/bin/restore-all-binned.ts';
import { restoreBinned } from '#lib/storage/bin/restore-binned.ts';
import { deleteGenerationFiles } from '#lib/storage/deletion/delete-generation-files.ts';
import { purgeProductBlobs } from '#lib/storage/deletion/purge-product.ts';
import { openFile } from '#lib/storage/serving/open-file.ts';
import {
  addAsset,
  auditsOf,
  DAY_MS,
  type FilesScene,
  filesScene,
  night,
  quietFilesScene,
} from '#tests/factories/files/files.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { oneAcrossAnother } from '#tests/factories/statements/one-across-another.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { useTestService } from '#tests/setup/service.ts';
import { asked, codesOf, filled, kindsOf } from './filled.ts';

const service = useTestService({ poolMax: 10 });

describe('what a member deletes of the studio', () => {
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
        id: createId('concept', at),
        accountId,
        memberId,
        productId: 'libre',
        name: 'Nuit claire',
        createdAt: at,
        updatedAt: at,
        deletedAt: at,
        binnedBy: memberId,
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
});
