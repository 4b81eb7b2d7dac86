import { expect, it } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { saveAvatar } from '#lib/storage/assets/avatars.ts';
import {
  attachToConcept,
  attachToNewConcept,
  deleteConcept,
  listConcepts,
} from '#lib/storage/assets/concepts.ts';
import { listAvatarsWithUses } from '#lib/storage/assets/list-avatars-with-uses.ts';
import { readFile } from '#lib/storage/assets/list-files.ts';
import { readGenerationFiles } from '#lib/storage/assets/read-generation-files.ts';
import { readLineage } from '#lib/storage/assets/read-lineage.ts';
import { readBinnedFiles } from '#lib/storage/bin/read-binned-files.ts';
import { deleteUpload } from '#lib/storage/uploads/delete-upload.ts';
import { listUploads } from '#lib/storage/uploads/list-uploads.ts';
import { recordStoredUpload } from '#lib/storage/uploads/record-upload.ts';
import { addAsset, addGeneration, addUpload, DAY_MS, filesScene } from '#tests/factories/files/files.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

it('the row of another account is no place in a list: nothing comes after it', async () => {
  const [s, stranger] = [await filesScene(service), await filesScene(service)];
  await addUpload(s, { ageDays: 5 });
  const { id: assetId } = await addAsset(s, { ageDays: 5 });
  await saveAvatar(s.ctx, { assetId, name: 'Inès' });
  const theirs = await addUpload(stranger);
  stranger.clock.advance(DAY_MS);
  const { id: theirAsset } = await addAsset(stranger);
  const face = await saveAvatar(stranger.ctx, { assetId: theirAsset, name: 'Ailleurs' });
  expect((await listUploads(s.ctx, { before: theirs.id })).uploads).toEqual([]);
  expect((await listAvatarsWithUses(s.ctx, { before: face.id })).avatars).toEqual([]);
  expect((await listUploads(s.ctx)).uploads).toHaveLength(1);
  expect((await listAvatarsWithUses(s.ctx)).avatars).toHaveLength(1);
});

it('a page of what members sent has two hundred lines at most, however many are asked for', async () => {
  const s = await filesScene(service);
  const at = s.clock.now();
  await service.db.upload.createMany({
    data: Array.from({ length: 201 }, (_, n) => ({
      id: createId('upload', at),
      ...s.owner,
      productId: 'libre',
      kind: 'IMAGE' as const,
      pathname: `references/libre/${s.owner.accountId}/${n}.png`,
      contentType: 'image/png',
      bytes: 1n,
      via: 'server' as const,
      createdAt: at,
      touchedAt: at,
    })),
  });
  const first = await listUploads(s.ctx, { limit: 10_000 });
  expect(first.uploads).toHaveLength(200);
  expect((await listUploads(s.ctx, { before: first.nextBefore ?? '' })).uploads).toHaveLength(1);
});

it('a file that a member sent and that retention is about to take cannot be put into the bin: its bytes may be gone', async () => {
  const s = await filesScene(service);
  const { id } = await addUpload(s, { ageDays: 40 });
  await service.db.upload.update({ where: { id }, data: { expiringAt: s.clock.now() } });
  await expect(deleteUpload(s.ctx, { uploadId: id })).rejects.toMatchObject({ code: 'not_found' });
});

it('a file that retention is about to take is told to no program, and one that another account sent is recorded for nobody else', async () => {
  const [s, stranger] = [await filesScene(service), await filesScene(service)];
  const { id } = await addAsset(s);
  expect((await readFile(s.ctx, { id })).view).toMatchObject({ id });
  await service.db.asset.update({ where: { id }, data: { expiringAt: s.clock.now() } });
  await expect(readFile(s.ctx, { id })).rejects.toMatchObject({ code: 'not_found' });
  const { pathname } = await addUpload(s);
  const claim = { ...stranger.owner, productId: 'libre', pathname, via: 'confirm' as const };
  await expect(recordStoredUpload(stranger.ctx, claim)).rejects.toMatchObject({ code: 'not_found' });
});

it('a concept counts the files that are there, and one of the bin is shown on none of them', async () => {
  const s = await filesScene(service);
  const [kept, gone] = [await addAsset(s), await addAsset(s)];
  const concept = { productId: 'libre', name: 'Automne' };
  const { conceptId } = await attachToNewConcept(s.ctx, { ...concept, assetId: kept.id });
  await attachToConcept(s.ctx, { conceptId, assetId: gone.id });
  await service.db.asset.update({ where: { id: gone.id }, data: { deletedAt: s.clock.now() } });
  expect(await listConcepts(s.ctx)).toMatchObject([{ id: conceptId, files: 1 }]);
  const shown = async () => {
    const [file] = await readGenerationFiles(s.ctx, { generationIds: [kept.generationId ?? ''] });
    return file?.concept;
  };
  expect(await shown()).toEqual({ id: conceptId, name: 'Automne' });
  await deleteConcept(s.ctx, { conceptId });
  expect(await shown()).toBeNull();
});

it('a concept of the same name that belongs to another product is not the one that is asked for', async () => {
  const s = await filesScene(service);
  const { id: assetId } = await addAsset(s);
  const at = s.clock.now();
  const other = await service.db.concept.create({
    data: {
      id: createId('concept', at),
      ...s.owner,
      productId: 'ancienne-gamme',
      name: 'Automne',
      note: '',
      createdAt: at,
      updatedAt: at,
    },
  });
  await attachToConcept(s.ctx, { conceptId: other.id, assetId });
  const made = await attachToNewConcept(s.ctx, { assetId, productId: 'libre', name: 'Automne' });
  expect(made.conceptId).not.toBe(other.id);
});

it('an avatar shows its five latest uses, and counts them all', async () => {
  const s = await filesScene(service);
  const { id: assetId, pathname } = await addAsset(s);
  await saveAvatar(s.ctx, { assetId, name: 'Inès' });
  const uses: string[] = [];
  for (let ageDays = 6; ageDays > 0; ageDays -= 1)
    uses.push(
      await addGeneration(s, {
        ageDays,
        references: { roles: { character: [{ ref: assetId, pathname }] } },
      }),
    );
  const { avatars } = await listAvatarsWithUses(s.ctx);
  expect(avatars).toMatchObject([{ useCount: 6 }]);
  expect(avatars[0]?.uses.map(({ id }) => id)).toEqual(uses.reverse().slice(0, 5));
});

it('a lineage shows each row by the first of its files that is left', async () => {
  const s = await filesScene(service);
  const generationId = await addGeneration(s);
  const files: string[] = [];
  for (const position of [0, 1, 2]) {
    const { id } = await addAsset(s, { generationId });
    await service.db.asset.update({ where: { id }, data: { position } });
    files.push(id);
  }
  const shown = async () => (await readLineage(s.ctx, { generationId }))[0]?.assetId;
  expect(await shown()).toBe(files[0]);
  await service.db.asset.update({ where: { id: files[0] ?? '' }, data: { deletedAt: s.clock.now() } });
  expect(await shown()).toBe(files[1]);
});

it('the files of one row that went to the bin at different times wait there until the first of them goes', async () => {
  const s = await filesScene(service);
  const generationId = await addGeneration(s);
  const now = s.clock.now();
  for (const days of [10, 2]) {
    const { id } = await addAsset(s, { generationId });
    const deletedAt = new Date(now.getTime() - days * DAY_MS);
    await service.db.asset.update({ where: { id }, data: { deletedAt, binnedBy: s.owner.memberId } });
  }
  expect(await readBinnedFiles(s.ctx, { generationIds: [generationId] })).toEqual([
    { generationId, files: 2, erasedAt: new Date(now.getTime() + 20 * DAY_MS) },
  ]);
});
