import { sql } from 'kysely';
import { type AccountActor, hasPermission } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { faultFields, faultLabel } from '#lib/core/faults.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import { storage as sentences } from '#lib/messages/storage.ts';
import { findProduct, isRegistered } from '#lib/products/registry.ts';
import { FREE_PRODUCT } from '#lib/products/types.ts';
import { type FilesContext, requireStore } from '../context.ts';
import { fileGone } from '../refusals.ts';
import { PASS_MS } from '../retention/budget.ts';
import { countKeptConsents, hasRunning, PURGE_STEPS, type Purge, type PurgeReport } from './purge-steps.ts';

/** Why a purge stopped by itself. */
export type PurgeStop = 'time' | 'running';

type PurgeOptions = { budgetMs?: number; elapsedMs?: () => number };

/**
 * Deletes for good every file of a product that left the registry: its assets (kept or not), avatars, uploads, capture rushes and everything
 * under `products/<id>/`. Journal rows, costs and ledger lines stay, and so do the signed documents of consents, counted in `keptConsents`.
 * What a running generation makes or reads waits, and the purge is then not complete (`running`).
 * Audited `product.blobs_purged` however it ends. Errors: `forbidden`, `verification_required`, `invalid` (free product),
 * `product-registered`, `not_found` (no file of it was this account's).
 */
export async function purgeProductBlobs(
  ctx: FilesContext<AccountActor>,
  productId: string,
  options: PurgeOptions = {},
): Promise<PurgeReport> {
  if (!hasPermission(ctx.actor, 'storage.purge')) throw new ServiceError('forbidden');
  requireRecentVerification(ctx);
  if (productId === FREE_PRODUCT)
    throw new ServiceError('invalid', { detail: 'productId', message: sentences.purgeFree });
  const registered = () => new ServiceError('product-registered', { subject: productId });
  if (findProduct(ctx.actor.accountId, productId)) throw registered();
  const store = requireStore(ctx);
  // Another account's product, registered or not, answers like one that never was.
  await requireOwner(ctx, productId);
  if (isRegistered(productId)) throw registered();
  const report: PurgeReport = {
    prefix: `products/${productId}/`,
    removedObjects: 0,
    removedBytes: 0,
    clearedGenerations: 0,
    deletedAssets: 0,
    deletedAvatars: 0,
    deletedReferences: 0,
    clearedCaptures: 0,
    complete: false,
    error: null,
  };
  const elapsedMs = options.elapsedMs ?? (() => performance.now());
  const endMs = elapsedMs() + (options.budgetMs ?? PASS_MS);
  const purge: Purge = {
    ctx,
    store,
    productId,
    report,
    isLate: () => elapsedMs() >= endMs,
    counted: new Set(),
  };
  try {
    // One that ends while the purge goes on leaves files that were passed over.
    const isRunning = await hasRunning(purge);
    for (const step of PURGE_STEPS) while (!purge.isLate() && (await step(purge)));
    const keptConsents = await countKeptConsents(purge);
    if (keptConsents > 0) report.keptConsents = keptConsents;
    if (purge.isLate()) report.error = 'time';
    else if (isRunning || (await hasRunning(purge))) report.error = 'running';
    report.complete = report.error === null;
  } catch (error) {
    report.error = faultLabel(error);
    ctx.log.error('product.purge_failed', { productId, ...faultFields(error) });
  }
  await recordAudits(ctx.kysely, ctx, [
    {
      action: 'product.blobs_purged',
      accountId: ctx.actor.accountId,
      subject: { type: 'product', id: productId },
      data: { ...report },
    },
  ]);
  return report;
}

/** Throws `not_found` unless rows of this account name the product: identifiers are never reused, so its rows prove ownership. */
async function requireOwner(ctx: FilesContext<AccountActor>, productId: string): Promise<void> {
  const { accountId } = ctx.actor;
  const named = (table: 'Asset' | 'Upload' | 'Generation') =>
    ctx.kysely.selectFrom(table).select('accountId').where('productId', '=', productId).limit(1);
  const owner = await ctx.kysely
    .selectFrom(
      ctx.kysely
        .selectFrom(named('Asset').as('asset'))
        .selectAll()
        .unionAll(ctx.kysely.selectFrom(named('Upload').as('upload')).selectAll())
        .unionAll(
          ctx.kysely
            .selectFrom(named('Generation').where('accountId', '=', accountId).as('generation'))
            .selectAll(),
        )
        .as('named'),
    )
    .select(sql<boolean | null>`bool_and(${sql.ref('named.accountId')} = ${accountId})`.as('isOwner'))
    .executeTakeFirst();
  if (!owner?.isOwner) throw fileGone(productId);
}
