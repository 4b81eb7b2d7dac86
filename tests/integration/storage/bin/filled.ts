import { deleteAvatar, saveAvatar } from '#lib/storage/assets/avatars.ts';
import { attachToConcept, deleteConcept } from '#lib/storage/assets/concepts.ts';
import type { BinnedRef } from '#lib/storage/bin/binned-kinds.ts';
import { listBinned } from '#lib/storage/bin/list-binned.ts';
import { deleteGenerationFiles } from '#lib/storage/deletion/delete-generation-files.ts';
import { deleteUpload } from '#lib/storage/uploads/delete-upload.ts';
import { addConcept } from '#tests/factories/files/concept.ts';
import { addAsset, addUpload, type FilesScene } from '#tests/factories/files/files.ts';

/** A question about a file, without its bytes. */
export const asked = (pathname: string) => ({
  pathname,
  range: null,
  ifRange: null,
  ifNoneMatch: null,
  download: false,
  withoutBody: true,
});

/** One thing of each kind, deleted by the member of the scene. */
export async function filled(s: FilesScene) {
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

/** The kinds of what lies in the bin. */
export const kindsOf = async (s: FilesScene) =>
  (await listBinned(s.ctx)).items.map(({ kind }) => kind).sort();

/** How each piece of work ended: done, or the code of its refusal. */
export const codesOf = async (work: Promise<unknown>[]) =>
  (await Promise.allSettled(work)).map((one) => (one.status === 'rejected' ? one.reason.code : 'done'));
