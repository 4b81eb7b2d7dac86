import type { AccountActor } from '#lib/core/actor.ts';
import { createId } from '#lib/core/ids.ts';
import type { Product } from '#lib/products/types.ts';
import { type FilesContext, requireStore } from '../context.ts';
import type { FileStore } from '../file-store.ts';
import { MediaRefusal } from '../media/media-refusal.ts';
import { MEDIA_LIMITS } from '../media/media-types.ts';
import { probeImageFile } from '../media/probe.ts';
import { type ProbedDocument, probeDocument } from '../media/probe-document.ts';
import type { ProbedImage } from '../media/probe-image.ts';
import { referenceFolder } from '../pathnames.ts';
import { requireGenerate, requireProduct } from '../refusals.ts';
import { inStoreTime } from '../retention/budget.ts';
import { insertUpload, refusedMedia, type UploadRecord } from './record-upload.ts';
import { holdRoom } from './settle-held-room.ts';
import { endHold, releaseStorage, type SentFile } from './storage-quota.ts';

/** How long room is held for an image while the service puts it into the store. */
const SENDING_MS = 2 * 60_000;

export type FileToUpload = {
  productId: string;
  bytes: Uint8Array;
  /** What the browser says; when said, the bytes must agree. */
  fileName?: string;
  declaredType?: string;
};

/**
 * Keeps an image that a member sends through the service: at most 4 MB, PNG, JPEG, WebP or GIF by its bytes. Audited
 * `reference.uploaded` (`via: server`). Errors: `reference-refused` with its `detail`, `invalid` for the product, `conflict`
 * (`storage-full`), `rate_limited`.
 */
export async function uploadImage(
  ctx: FilesContext<AccountActor>,
  input: FileToUpload,
): Promise<UploadRecord> {
  requireGenerate(ctx);
  const product = requireProduct(ctx, input.productId);
  requireStore(ctx);
  const media = await probeImageFile(input.bytes, {
    maxBytes: MEDIA_LIMITS.uploadedImageBytes,
    declaredType: input.declaredType || undefined,
    fileName: input.fileName,
    owner: ctx.actor.accountId,
  }).catch((error: unknown) => {
    throw error instanceof MediaRefusal ? refusedMedia(error, input.fileName ?? 'image') : error;
  });
  return storeSentFile(ctx, { product, bytes: input.bytes, media });
}

/**
 * Keeps a signed document that a member sends through the service: a PDF of at most 4 MB, stored and never opened. Audited
 * `reference.uploaded` (`via: server`). Errors: those of `uploadImage`.
 */
export async function uploadDocument(
  ctx: FilesContext<AccountActor>,
  input: FileToUpload,
): Promise<UploadRecord> {
  requireGenerate(ctx);
  const product = requireProduct(ctx, input.productId);
  try {
    const media = probeDocument(input.bytes, input.declaredType ? { declaredType: input.declaredType } : {});
    return await storeSentFile(ctx, { product, bytes: input.bytes, media });
  } catch (error) {
    throw error instanceof MediaRefusal ? refusedMedia(error, input.fileName ?? 'document') : error;
  }
}

/** Puts a file that was checked into the store and writes its row; room for it is held first. */
async function storeSentFile(
  ctx: FilesContext<AccountActor>,
  input: { product: Product; bytes: Uint8Array; media: ProbedImage | ProbedDocument },
): Promise<UploadRecord> {
  const { product, media } = input;
  const store = requireStore(ctx);
  const { accountId, memberId } = ctx.actor;
  const id = createId('upload', ctx.clock.now());
  const pathname = `${referenceFolder(accountId, product.id)}${id}.${media.extension}`;
  const held = { accountId, pathname, bytes: media.bytes };
  const expiresAt = new Date(ctx.clock.now().getTime() + SENDING_MS);
  await holdRoom(ctx, { stem: pathname, bytes: media.bytes, expiresAt });
  const stored = await store
    .put(pathname, input.bytes, { contentType: media.contentType })
    .catch(async (error) => {
      await giveRoomBack(ctx, store, held);
      throw error;
    });
  // If the row is not written, no row names the file: the orphan pass deletes it.
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

/**
 * For a file that the store did not confirm but may have stored: deletes it; if that fails too, its room stays taken until the store was asked
 * (`settleHeldRoom`).
 */
async function giveRoomBack(
  ctx: FilesContext<AccountActor>,
  store: FileStore,
  held: SentFile,
): Promise<void> {
  const isGone = await inStoreTime(store.delete([held.pathname])).then(
    () => true,
    () => false,
  );
  if (isGone) await releaseStorage(ctx.kysely, held);
  else await endHold(ctx.kysely, { ...held, now: ctx.clock.now() });
}
