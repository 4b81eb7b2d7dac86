import type { AccountActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { storage as sentences } from '#lib/messages/storage.ts';
import type { FilesContext } from '../context.ts';
import { pathnameOfStoreUrl, referenceFolder } from '../pathnames.ts';
import { requireGenerate, requireProduct } from '../refusals.ts';
import { recordStoredUpload, type UploadRecord } from './record-upload.ts';

/**
 * What the cockpit says once its upload is through, whether or not the store's callback came (`via: confirm` when this comes
 * first). Idempotent on the path. Errors: `invalid` for an address that is not an upload of this account for this product,
 * `reference-refused` for a file that is not what it claims, which is deleted.
 */
export async function confirmReferenceUpload(
  ctx: FilesContext<AccountActor>,
  input: { productId: string; url: string },
): Promise<UploadRecord> {
  requireGenerate(ctx);
  const product = requireProduct(ctx, input.productId);
  const { accountId, memberId } = ctx.actor;
  const pathname = pathnameOfStoreUrl(input.url, ctx.files);
  if (!pathname?.startsWith(referenceFolder(accountId, product.id)))
    throw new ServiceError('invalid', {
      detail: 'url',
      problems: [{ field: 'url', message: sentences.uploadPath }],
    });
  return recordStoredUpload(ctx, {
    accountId,
    memberId,
    productId: product.id,
    pathname,
    via: 'confirm',
  });
}
