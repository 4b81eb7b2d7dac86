import type { AccountActor } from '#lib/core/actor.ts';
import { createId } from '#lib/core/ids.ts';
import { type FilesContext, requireStore } from '../context.ts';
import { MediaRefusal } from '../media/media-refusal.ts';
import { MEDIA_LIMITS } from '../media/media-types.ts';
import { probeImageFile } from '../media/probe.ts';
import { referenceFolder } from '../pathnames.ts';
import { requireGenerate, requireProduct } from '../refusals.ts';
import { insertUpload, refusedMedia, type UploadRecord } from './record-upload.ts';

export type ImageToUpload = {
  productId: string;
  bytes: Uint8Array;
  /** What the browser says; when said, the bytes must agree. */
  fileName?: string;
  declaredType?: string;
};

/**
 * Keeps an image that a member sends through the service: at most 4 MB, PNG, JPEG, WebP or GIF by its bytes. Audited
 * `reference.uploaded` (`via: server`). Errors: `reference-refused` with its `detail`, `invalid` for the product.
 */
export async function uploadImage(
  ctx: FilesContext<AccountActor>,
  input: ImageToUpload,
): Promise<UploadRecord> {
  requireGenerate(ctx);
  const product = requireProduct(ctx, input.productId);
  const store = requireStore(ctx);
  const { accountId, memberId } = ctx.actor;
  const media = await probeImageFile(input.bytes, {
    maxBytes: MEDIA_LIMITS.uploadedImageBytes,
    declaredType: input.declaredType || undefined,
    fileName: input.fileName,
  }).catch((error: unknown) => {
    throw error instanceof MediaRefusal ? refusedMedia(error, input.fileName ?? 'image') : error;
  });
  const id = createId('upload', ctx.clock.now());
  const pathname = `${referenceFolder(accountId, product.id)}${id}.${media.extension}`;
  const stored = await store.put(pathname, input.bytes, { contentType: media.contentType });
  // Were the row not written, the file would be named by nothing: the orphan pass takes it.
  return insertUpload(ctx, {
    id,
    accountId,
    memberId,
    productId: product.id,
    pathname,
    via: 'server',
    media,
    etag: stored.etag,
  });
}
