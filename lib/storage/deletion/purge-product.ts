import { sql } from 'kysely';
import { type AccountActor, hasPermission } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { faultFields, faultLabel } from '#lib/core/faults.ts';
import { inOpenState } from '#lib/db/open-states.ts';
import { transaction } from '#lib/db/transaction.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { storage as sentences } from '#lib/messages/storage.ts';
import { findProduct, isRegistered } from '#lib/products/registry.ts';
import { FREE_PRODUCT } from '#lib/products/types.ts';
import { clearGenerations } from '../clear-generations.ts';
import { type FilesContext, requireStore } from '../context.ts';
import type { FileStore } from '../file-store.ts';
import { headAll } from '../head-all.ts';
import { fileGone } from '../refusals.ts';
import { PASS_MS } from '../retention/budget.ts';

/** What a purge did; also the data of its audit entry. */
export type PurgeReport = {
  prefix: string;
  removedObjects: number;
  removedBytes: number;
  clearedGenerations: number;
  deletedAssets: number;
  deletedAvatars: number;
  deletedReferences: number;
  clearedCaptures: number;
  /** False: run it again, it resumes. */
  complete: boolean;
  /** Why it is not complete: `time`, `running` (generations of the product still run), or the store's error. */
  error: string | null;
};

/** Why a purge stopped by itself. */
export type PurgeStop = 'time' | 'running';

export type PurgeOptions = { budgetMs?: number; elapsedMs?: () => number };

/** How many files go in one step: bytes first, then their rows. */
const STEP = 500;

/**
 * Deletes for good every file of a product that left the registry: its assets (kept or not), avatars, uploads, capture rushes
 * and all that lies under `products/<id>/`. Journal rows, costs and ledger lines stay. Audited `product.blobs_purged` however
 * it ends. Errors: `forbidden`, `invalid` (free product), `product-registered`, `not_found` (no file of it was this account's).
 */
export async function purgeProductBlobs(
  ctx: FilesContext<AccountActor>,
  productId: string,
  options: PurgeOptions = {},
): Promise<PurgeReport> {
  if (!hasPermission(ctx.actor, 'storage.purge')) throw new ServiceError('forbidden');
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
    const steps = [purgeAssets, purgeUploads, purgeCaptures, purgeFolder];
    for (const step of steps) while (!purge.isLate() && (await step(purge)));
    if (purge.isLate()) report.error = 'time';
    else if (await hasRunning(purge)) report.error = 'running';
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

type Purge = {
  ctx: FilesContext<AccountActor>;
  store: FileStore;
  productId: string;
  report: PurgeReport;
  isLate: () => boolean;
  /** Where the listing of the folder is; null once it was seen whole. */
  page?: string | null;
  /** Objects of the product's own folder that were counted already: a row may name one that the listing gives again. */
  counted: Set<string>;
};

/** Adds objects that were just deleted to the report, each once. */
function countRemoved(
  { report, counted }: Purge,
  objects: readonly { pathname: string; bytes: bigint | number }[],
): void {
  for (const { pathname, bytes } of objects) {
    if (counted.has(pathname)) continue;
    if (pathname.startsWith(report.prefix)) counted.add(pathname);
    report.removedObjects += 1;
    report.removedBytes += Number(bytes);
  }
}

/** Product identifiers are never reused: whose rows name it owned it. A stranger's product answers like none. */
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

/** One step over assets and the avatars made of them; false when none is left. Those of running generations wait. */
async function purgeAssets(purge: Purge): Promise<boolean> {
  const { ctx, store, productId, report } = purge;
  const { accountId } = ctx.actor;
  const now = ctx.clock.now();
  const assets = await ctx.kysely
    .selectFrom('Asset as a')
    .leftJoin('Generation as g', 'g.id', 'a.generationId')
    .select(['a.id', 'a.generationId', 'a.pathname', 'a.bytes', 'a.imported'])
    .where('a.productId', '=', productId)
    .where('a.accountId', '=', accountId)
    .where('a.deletedAt', 'is', null)
    .where(({ or, eb, not }) => or([eb('g.id', 'is', null), not(inOpenState('g.state'))]))
    .orderBy('a.id')
    .limit(STEP)
    .execute();
  if (assets.length === 0) return false;
  // The bytes of the former application are not in our store: only their rows go.
  const stored = assets.filter((asset) => !asset.imported);
  await store.delete(stored.map((asset) => asset.pathname));
  const ids = assets.map((asset) => asset.id);
  await transaction(ctx, async (tx) => {
    const gone = await tx
      .updateTable('Asset')
      .set({ deletedAt: now, deletedBy: 'purge', updatedAt: now })
      .where(isAnyOf('id', ids))
      .where('deletedAt', 'is', null)
      .returning('id')
      .execute();
    const avatars = await tx
      .updateTable('Avatar')
      .set({ deletedAt: now })
      .where(isAnyOf('assetId', ids))
      .where('deletedAt', 'is', null)
      .returning('id')
      .execute();
    const generationIds = [...new Set(assets.flatMap(({ generationId }) => generationId ?? []))];
    const cleared = await clearGenerations(tx, { generationIds, by: 'purge', now });
    report.deletedAssets += gone.length;
    report.deletedAvatars += avatars.length;
    report.clearedGenerations += cleared.length;
  });
  countRemoved(purge, stored);
  return true;
}

async function purgeUploads(purge: Purge): Promise<boolean> {
  const { ctx, store, productId, report } = purge;
  const uploads = await ctx.kysely
    .selectFrom('Upload')
    .select(['id', 'pathname', 'bytes'])
    .where('productId', '=', productId)
    .where('accountId', '=', ctx.actor.accountId)
    .where('deletedAt', 'is', null)
    .orderBy('id')
    .limit(STEP)
    .execute();
  if (uploads.length === 0) return false;
  await store.delete(uploads.map((upload) => upload.pathname));
  const gone = await ctx.kysely
    .updateTable('Upload')
    .set({ deletedAt: ctx.clock.now(), deletedBy: 'purge' })
    .where(isAnyOf('id', ids(uploads)))
    .where('deletedAt', 'is', null)
    .returning('id')
    .execute();
  report.deletedReferences += gone.length;
  countRemoved(purge, uploads);
  return true;
}

/** Rushes and avatars that have bytes of their own besides an upload or an asset. */
async function purgeCaptures(purge: Purge): Promise<boolean> {
  const { ctx, store, productId, report } = purge;
  const { kysely } = ctx;
  const rushes = kysely
    .selectFrom('CaptureRush')
    .select(['id', 'pathname', sql<'rush' | 'avatar'>`'rush'`.as('kind')])
    .where('productId', '=', productId)
    .where('accountId', '=', ctx.actor.accountId)
    .where('clearedAt', 'is', null)
    .limit(STEP);
  const avatars = kysely
    .selectFrom('Avatar')
    .select(['id', 'pathname', sql<'rush' | 'avatar'>`'avatar'`.as('kind')])
    .where('productId', '=', productId)
    .where('accountId', '=', ctx.actor.accountId)
    .where('deletedAt', 'is', null)
    .where(sql<boolean>`starts_with("pathname", 'avatars/')`)
    .limit(STEP);
  const held = await kysely
    .selectFrom(rushes.as('rush'))
    .selectAll()
    .unionAll(kysely.selectFrom(avatars.as('avatar')).selectAll())
    .execute();
  if (held.length === 0) return false;
  // Those of an upload are gone with it, and no row knows the size of an avatar's: the store says what is there.
  const found = await headAll(
    store,
    held.map((one) => one.pathname),
  );
  const objects = [...found.values()];
  await store.delete(objects.map((object) => object.pathname));
  const idsOf = (kind: 'rush' | 'avatar') => ids(held.filter((one) => one.kind === kind));
  const now = ctx.clock.now();
  const cleared = await ctx.kysely
    .updateTable('CaptureRush')
    .set({ clearedAt: now })
    .where(isAnyOf('id', idsOf('rush')))
    .where('clearedAt', 'is', null)
    .returning('id')
    .execute();
  const deleted = await ctx.kysely
    .updateTable('Avatar')
    .set({ deletedAt: now })
    .where(isAnyOf('id', idsOf('avatar')))
    .where('deletedAt', 'is', null)
    .returning('id')
    .execute();
  countRemoved(purge, objects);
  report.clearedCaptures += cleared.length;
  report.deletedAvatars += deleted.length;
  return true;
}

/** Everything that lies under the product's own folder, whoever put it there. */
async function purgeFolder(purge: Purge): Promise<boolean> {
  const { store, page } = purge;
  // Page by page, not until nothing is listed: a store may list for a while what it has deleted.
  const { files, cursor } = await store.list({
    prefix: purge.report.prefix,
    limit: STEP,
    ...(page ? { cursor: page } : {}),
  });
  await store.delete(files.map((file) => file.pathname));
  countRemoved(purge, files);
  purge.page = cursor ?? null;
  return cursor !== undefined;
}

async function hasRunning({ ctx, productId }: Purge): Promise<boolean> {
  const running = await ctx.kysely
    .selectFrom('Generation')
    .select('id')
    .where('accountId', '=', ctx.actor.accountId)
    .where('productId', '=', productId)
    .where(inOpenState('state'))
    .limit(1)
    .executeTakeFirst();
  return running !== undefined;
}

const ids = (rows: readonly { id: string }[]) => rows.map((row) => row.id);
