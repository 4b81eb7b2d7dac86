'use server';

import { z } from 'zod';
import { ServiceError } from '#lib/core/errors.ts';
import { withFiles } from '#lib/http/files.ts';
import { memberAction, memberCall } from '#lib/http/member-action.ts';
import { deleteRender } from '#lib/storage/delete-render.ts';
import { forgetAvatar, saveAvatar } from '#lib/storage/keeping/avatars.ts';
import { keepCaptureRush, releaseCaptureRush } from '#lib/storage/keeping/capture-rushes.ts';
import {
  attachToConcept,
  createConcept,
  deleteConcept,
  detachFromConcept,
} from '#lib/storage/keeping/concepts.ts';
import { addLesson, forgetLesson } from '#lib/storage/keeping/lessons.ts';
import { reviewAsset } from '#lib/storage/keeping/review-asset.ts';
import { MediaRefusal } from '#lib/storage/media/media-refusal.ts';
import { MEDIA_LIMITS } from '#lib/storage/media/media-types.ts';
import { purgeProductBlobs } from '#lib/storage/purge-product.ts';
import { confirmReferenceUpload } from '#lib/storage/uploads/confirm-reference-upload.ts';
import { uploadImage } from '#lib/storage/uploads/upload-image.ts';

const id = z.string().max(60);

/** Sends an image of at most 4 MB as a reference: fields `productId` and `file`. */
export const sendReferenceImage = memberAction({
  permission: 'generate',
  schema: z.object({ productId: id, file: z.file('Choisissez une image.') }),
  async run(ctx, { productId, file }) {
    // Said before the bytes are read.
    if (file.size > MEDIA_LIMITS.uploadedImageBytes)
      throw new ServiceError('reference-refused', {
        detail: 'too-large',
        subject: file.name,
        message: new MediaRefusal('too-large').message,
      });
    const bytes = new Uint8Array(await file.arrayBuffer());
    const upload = await uploadImage(withFiles(ctx), {
      productId,
      bytes,
      fileName: file.name,
      declaredType: file.type,
    });
    return { message: 'Image ajoutée', data: upload };
  },
});

/** Says that a direct upload is through. */
export const confirmUpload = memberCall({
  permission: 'generate',
  schema: z.object({ productId: id, url: z.string().max(4_096) }),
  run: async (ctx, input) => ({ data: await confirmReferenceUpload(withFiles(ctx), input) }),
});

/** Approves, rejects or delivers a file. */
export const reviewFile = memberCall({
  permission: 'generate',
  schema: z.object({ assetId: id, review: z.enum(['approve', 'reject', 'deliver']) }),
  run: async (ctx, input) => ({ data: await reviewAsset(ctx, input) }),
});

/** Keeps an image as a face. */
export const keepAvatar = memberCall({
  permission: 'generate',
  schema: z.object({ assetId: id, name: z.string() }),
  run: async (ctx, input) => ({ message: 'Avatar gardé', data: await saveAvatar(ctx, input) }),
});

/** Forgets a face; its file stays until retention decides. */
export const dropAvatar = memberCall({
  permission: 'generate',
  schema: z.object({ avatarId: id }),
  run: async (ctx, input) => ({ message: 'Avatar oublié', data: await forgetAvatar(ctx, input) }),
});

export const addConcept = memberCall({
  permission: 'generate',
  schema: z.object({ productId: id, name: z.string(), note: z.string().optional() }),
  run: async (ctx, { note, ...input }) => ({
    message: 'Concept créé',
    data: await createConcept(ctx, { ...input, ...(note ? { note } : {}) }),
  }),
});

export const removeConcept = memberCall({
  permission: 'generate',
  schema: z.object({ conceptId: id }),
  run: async (ctx, input) => ({ message: 'Concept supprimé', data: await deleteConcept(ctx, input) }),
});

export const attachFile = memberCall({
  permission: 'generate',
  schema: z.object({ conceptId: id, assetId: id }),
  run: async (ctx, input) => ({ message: 'Fichier rattaché', data: await attachToConcept(ctx, input) }),
});

export const detachFile = memberCall({
  permission: 'generate',
  schema: z.object({ assetId: id }),
  run: async (ctx, input) => ({ message: 'Fichier détaché', data: await detachFromConcept(ctx, input) }),
});

export const keepLesson = memberCall({
  permission: 'generate',
  schema: z.object({ assetId: id, text: z.string() }),
  run: async (ctx, input) => ({ message: 'Leçon gardée', data: await addLesson(ctx, input) }),
});

export const dropLesson = memberCall({
  permission: 'generate',
  schema: z.object({ lessonId: id }),
  run: async (ctx, input) => ({ message: 'Leçon oubliée', data: await forgetLesson(ctx, input) }),
});

export const keepRush = memberCall({
  permission: 'generate',
  schema: z.object({ uploadId: id, title: z.string() }),
  run: async (ctx, input) => ({ message: 'Rush gardé', data: await keepCaptureRush(ctx, input) }),
});

export const releaseRush = memberCall({
  permission: 'generate',
  schema: z.object({ rushId: id }),
  run: async (ctx, input) => ({ message: 'Rush libéré', data: await releaseCaptureRush(ctx, input) }),
});

/** Deletes the files of a finished generation; the row and its cost stay. */
export const deleteFiles = memberCall({
  permission: 'generate',
  schema: z.object({ generationId: id }),
  run: async (ctx, input) => ({
    message: 'Fichiers supprimés',
    data: await deleteRender(withFiles(ctx), input),
  }),
});

/** Deletes for good every file of a product that left the registry. Founders only. */
export const purgeProduct = memberCall({
  permission: 'storage.purge',
  schema: z.object({ productId: id }),
  run: async (ctx, { productId }) => ({ data: await purgeProductBlobs(withFiles(ctx), productId) }),
});
