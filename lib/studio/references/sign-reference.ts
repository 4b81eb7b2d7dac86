import { createHash } from 'node:crypto';
import { ServiceError } from '#lib/core/errors.ts';
import { extensionOf, formatOfContentType } from '#lib/storage/media/media-types.ts';
import { referenceFolder } from '#lib/storage/pathnames.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import type { ReadReference } from './read-references.ts';

/**
 * A temporary signed address of the very bytes that were checked, so that a runner or provider never reads an external address again. Bytes
 * from elsewhere are first stored under the account's references of the row's product, where no row names them: the orphan pass deletes them
 * after 30 days. Throws what the store throws.
 */
export async function signReference(
  ctx: StudioContext,
  row: Generation,
  reference: ReadReference,
  expiresAt: Date,
): Promise<string> {
  const { store } = ctx.studio;
  if (!store) throw new ServiceError('not_configured');
  const pathname = reference.file.pathname ?? pathnameFor(row, reference);
  if (!reference.file.pathname)
    await store.put(pathname, reference.bytes, { contentType: reference.contentType });
  return store.sign(pathname, { expiresAt });
}

/** Deterministic for the same bytes of the same row, and not guessable from the row. */
function pathnameFor(row: Generation, { bytes, contentType }: ReadReference): string {
  const digest = createHash('sha256').update(bytes).digest('hex').slice(0, 24);
  const format = formatOfContentType(contentType);
  const extension = format ? `.${extensionOf(format)}` : '';
  return `${referenceFolder(row.accountId, row.productId)}${row.id}-${digest}${extension}`;
}
