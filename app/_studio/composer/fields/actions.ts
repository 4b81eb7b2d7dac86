'use server';
import { z } from 'zod';
import { memberAction, memberCall } from '#lib/http/actions/member-action.ts';
import { withFiles } from '#lib/http/runtime/files.ts';
import { MediaRefusal } from '#lib/storage/media/media-refusal.ts';
import { MEDIA_LIMITS } from '#lib/storage/media/media-types.ts';
import { confirmReferenceUpload } from '#lib/storage/uploads/confirm-reference-upload.ts';
import { directUploadTarget } from '#lib/storage/uploads/direct-upload.ts';
import { refusedMedia } from '#lib/storage/uploads/record-upload.ts';
import { uploadDocument, uploadImage } from '#lib/storage/uploads/upload-image.ts';
import { fileUrl } from '#lib/studio/journal/view.ts';

const productId = z.string().max(60);

/** Keeps an image that the composer's strip received. */
export const sendImage = memberAction({
  permission: 'generate',
  schema: z.object({ productId, file: z.instanceof(File) }),
  async run(ctx, input) {
    // Said before the bytes are read.
    if (input.file.size > MEDIA_LIMITS.uploadedImageBytes)
      throw refusedMedia(new MediaRefusal('too-large'), input.file.name);
    const record = await uploadImage(withFiles(ctx), {
      productId: input.productId,
      bytes: new Uint8Array(await input.file.arrayBuffer()),
      fileName: input.file.name,
      declaredType: input.file.type,
    });
    return {
      data: {
        id: record.id,
        contentType: record.contentType,
        durationMs: null,
        url: fileUrl(record.pathname),
      },
    };
  },
});

/** Keeps a signed document: a PDF. */
export const sendDocument = memberAction({
  permission: 'generate',
  schema: z.object({ productId, file: z.instanceof(File) }),
  async run(ctx, input) {
    if (input.file.size > MEDIA_LIMITS.uploadedImageBytes)
      throw refusedMedia(new MediaRefusal('too-large'), input.file.name);
    const record = await uploadDocument(withFiles(ctx), {
      productId: input.productId,
      bytes: new Uint8Array(await input.file.arrayBuffer()),
      fileName: input.file.name,
      declaredType: input.file.type,
    });
    return { data: { id: record.id } };
  },
});

/** Where a clip may be sent, and where the browser finds the store. */
export const clipTarget = memberCall({
  permission: 'generate',
  schema: z.object({ productId }),
  async run(ctx, input) {
    const files = withFiles(ctx);
    const { folder } = directUploadTarget(files, input.productId);
    const { storeApiUrl, bucketAddress } = files.files;
    return { data: { folder, storeApiUrl, isBucket: Boolean(bucketAddress) } };
  },
});

/** Says that a clip is in the store: it is measured and recorded. */
export const confirmClip = memberCall({
  permission: 'generate',
  schema: z.object({ productId, url: z.string().max(2_000) }),
  async run(ctx, input) {
    const record = await confirmReferenceUpload(withFiles(ctx), input);
    return {
      data: {
        id: record.id,
        contentType: record.contentType,
        durationMs: record.durationMs,
        url: fileUrl(record.pathname),
      },
    };
  },
});
