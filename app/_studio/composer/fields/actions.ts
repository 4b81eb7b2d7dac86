'use server';
import { z } from 'zod';
import { memberAction, memberCall } from '#lib/http/actions/member-action.ts';
import { withFiles } from '#lib/http/runtime/files.ts';
import { FREE_PRODUCT } from '#lib/products/types.ts';
import { listAvatars } from '#lib/storage/assets/avatars.ts';
import { MediaRefusal } from '#lib/storage/media/media-refusal.ts';
import { MEDIA_LIMITS } from '#lib/storage/media/media-types.ts';
import { confirmReferenceUpload } from '#lib/storage/uploads/confirm-reference-upload.ts';
import { directUploadTarget } from '#lib/storage/uploads/direct-upload.ts';
import { listUploads } from '#lib/storage/uploads/list-uploads.ts';
import { refusedMedia, type UploadRecord } from '#lib/storage/uploads/record-upload.ts';
import { type FileToUpload, uploadDocument, uploadImage } from '#lib/storage/uploads/upload-image.ts';
import { fileUrl } from '#lib/studio/journal/view.ts';

const productId = z.string().max(60);
/** Files to choose from on one page. */
const PER_PAGE = 24;

const sent = z.object({ productId, file: z.instanceof(File) });

/** The input of the verb, from a form. A file that is too large is refused before its bytes are read. */
async function readSent({ productId, file }: z.output<typeof sent>): Promise<FileToUpload> {
  if (file.size > MEDIA_LIMITS.uploadedImageBytes)
    throw refusedMedia(new MediaRefusal('too-large'), file.name);
  const bytes = new Uint8Array(await file.arrayBuffer());
  return { productId, bytes, fileName: file.name, declaredType: file.type };
}

/** What the composer shows of an uploaded file. */
const shown = ({ id, contentType, durationMs, pathname }: UploadRecord) => ({
  data: { id, contentType, durationMs, url: fileUrl(pathname) },
});

/** Uploads an image, to be used as a reference. */
export const sendImage = memberAction({
  permission: 'generate',
  schema: sent,
  run: async (ctx, input) => shown(await uploadImage(withFiles(ctx), await readSent(input))),
});

/** Uploads a signed document as a PDF. */
export const sendDocument = memberAction({
  permission: 'generate',
  schema: sent,
  async run(ctx, input) {
    const { id } = await uploadDocument(withFiles(ctx), await readSent(input));
    return { data: { id } };
  },
});

const listed = z.object({
  takesClips: z.boolean(),
  takesImages: z.boolean(),
  before: z.string().max(40).optional(),
});

/** The uploaded images and clips of the account to choose from as references, newest first, page by page. */
export const listSentFiles = memberCall({
  permission: 'generate',
  schema: listed,
  async run(ctx, { takesClips, takesImages, before }) {
    const { uploads, nextBefore } = await listUploads(ctx, {
      limit: PER_PAGE,
      ...(before ? { before } : {}),
    });
    const taken = uploads.filter(
      ({ kind }) => (kind === 'IMAGE' && takesImages) || (kind === 'RUSH' && takesClips),
    );
    const files = taken.map(({ id, productId, contentType, durationMs, pathname, kind }) => ({
      ref: id,
      name: 'Fichier envoyé',
      productId,
      contentType,
      ...(durationMs === null ? {} : { durationMs }),
      ...(kind === 'IMAGE' ? { thumbnail: fileUrl(pathname) } : {}),
    }));
    return { data: { files, nextBefore } };
  },
});

/**
 * The avatars that a request for a product may use, those of the product and those without one, to choose from as references: newest first, page by
 * page.
 */
export const listFaces = memberCall({
  permission: 'generate',
  schema: z.object({ productId, before: z.string().max(40).optional() }),
  async run(ctx, { productId: own, before }) {
    const found = await listAvatars(ctx, { productIds: [own, FREE_PRODUCT], before, limit: PER_PAGE + 1 });
    const files = found.slice(0, PER_PAGE).map(({ id, name, productId: of, pathname }) => ({
      ref: id,
      name,
      productId: of,
      contentType: 'image/',
      thumbnail: fileUrl(pathname),
    }));
    return { data: { files, nextBefore: found.length > PER_PAGE ? (files.at(-1)?.ref ?? null) : null } };
  },
});

/** Where to upload a clip: its folder, the address of the store, and whether the store is a bucket. */
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

/** Confirms that a clip is in the store, and measures and records it. */
export const confirmClip = memberCall({
  permission: 'generate',
  schema: z.object({ productId, url: z.string().max(2_000) }),
  run: async (ctx, input) => shown(await confirmReferenceUpload(withFiles(ctx), input)),
});
