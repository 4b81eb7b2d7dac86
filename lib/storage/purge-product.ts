import { type AccountActor, hasPermission } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { storage as sentences } from '#lib/messages/storage.ts';
import { findProduct, isRegistered } from '#lib/products/registry.ts';
import { FREE_PRODUCT } from '#lib/products/types.ts';
import { type FilesContext, requireStore } from './context.ts';
import type { FileStore } from './file-store.ts';
import { fileGone } from './refusals.ts';
import { clearGenerations } from './retention/assets.ts';
import { PASS_MS } from './retention/budget.ts';

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
  const purge: Purge = { ctx, store, productId, report, isLate: () => elapsedMs() >= endMs };
  try {
    const steps = [purgeAssets, purgeUploads, purgeCaptures, purgeFolder];
    for (const step of steps) while (!purge.isLate() && (await step(purge)));
    if (purge.isLate()) report.error = 'time';
    else if (await hasRunning(purge)) report.error = 'running';
    report.complete = report.error === null;
  } catch (error) {
    report.error = error instanceof Error ? error.name : 'unknown';
    ctx.log.error('product.purge_failed', { productId, error: report.error });
  }
  await recordAudits(ctx.sql, ctx, [
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
};

/** Product identifiers are never reused: whose rows name it owned it. A stranger's product answers like none. */
async function requireOwner(ctx: FilesContext<AccountActor>, productId: string): Promise<void> {
  const [owner] = await ctx.sql.rows<{ isOwner: boolean }>(
    'purge.owner',
    `SELECT bool_and("accountId" = $2) AS "isOwner" FROM (
       (SELECT "accountId" FROM "Asset" WHERE "productId" = $1 LIMIT 1)
       UNION ALL (SELECT "accountId" FROM "Upload" WHERE "productId" = $1 LIMIT 1)
       UNION ALL (SELECT "accountId" FROM "Generation" WHERE "productId" = $1 AND "accountId" = $2 LIMIT 1)) named`,
    [productId, ctx.actor.accountId],
  );
  if (!owner?.isOwner) throw fileGone(productId);
}

/** One step over assets and the avatars made of them; false when none is left. Those of running generations wait. */
async function purgeAssets({ ctx, store, productId, report }: Purge): Promise<boolean> {
  const { accountId } = ctx.actor;
  const now = ctx.clock.now();
  const assets = await ctx.sql.rows<{
    id: string;
    generationId: string | null;
    pathname: string;
    bytes: bigint;
    imported: boolean;
  }>(
    'purge.assets',
    `SELECT a."id", a."generationId", a."pathname", a."bytes", a."imported" FROM "Asset" a
     LEFT JOIN "Generation" g ON g."id" = a."generationId"
     WHERE a."productId" = $1 AND a."accountId" = $2 AND a."deletedAt" IS NULL
       AND (g."id" IS NULL OR g."state" NOT IN ('STARTING', 'SUBMITTED')) ORDER BY a."id" LIMIT ${STEP}`,
    [productId, accountId],
  );
  if (assets.length === 0) return false;
  // The bytes of the former application are elsewhere: only their rows go.
  const stored = assets.filter((asset) => !asset.imported);
  await store.delete(stored.map((asset) => asset.pathname));
  const ids = assets.map((asset) => asset.id);
  await ctx.sql.transaction(async (tx) => {
    const gone = await tx.rows(
      'purge.delete_assets',
      `UPDATE "Asset" SET "deletedAt" = $2, "deletedBy" = 'purge', "updatedAt" = $2
       WHERE "id" = ANY($1::text[]) AND "deletedAt" IS NULL RETURNING 1`,
      [ids, now],
    );
    const avatars = await tx.rows(
      'purge.delete_avatars',
      'UPDATE "Avatar" SET "deletedAt" = $2 WHERE "assetId" = ANY($1::text[]) AND "deletedAt" IS NULL RETURNING 1',
      [ids, now],
    );
    const generationIds = [...new Set(assets.flatMap(({ generationId }) => generationId ?? []))];
    const cleared = await clearGenerations(tx, { generationIds, by: 'purge', now });
    report.deletedAssets += gone.length;
    report.deletedAvatars += avatars.length;
    report.clearedGenerations += cleared.length;
  });
  report.removedObjects += stored.length;
  report.removedBytes += sum(stored);
  return true;
}

async function purgeUploads({ ctx, store, productId, report }: Purge): Promise<boolean> {
  const uploads = await ctx.sql.rows<{ id: string; pathname: string; bytes: bigint }>(
    'purge.uploads',
    `SELECT "id", "pathname", "bytes" FROM "Upload" WHERE "productId" = $1 AND "accountId" = $2 AND "deletedAt" IS NULL
     ORDER BY "id" LIMIT ${STEP}`,
    [productId, ctx.actor.accountId],
  );
  if (uploads.length === 0) return false;
  await store.delete(uploads.map((upload) => upload.pathname));
  const gone = await ctx.sql.rows(
    'purge.delete_uploads',
    `UPDATE "Upload" SET "deletedAt" = $2, "deletedBy" = 'purge' WHERE "id" = ANY($1::text[]) AND "deletedAt" IS NULL
     RETURNING 1`,
    [uploads.map((upload) => upload.id), ctx.clock.now()],
  );
  report.deletedReferences += gone.length;
  report.removedObjects += uploads.length;
  report.removedBytes += sum(uploads);
  return true;
}

/** Rushes and avatars that have bytes of their own besides an upload or an asset. */
async function purgeCaptures({ ctx, store, productId, report }: Purge): Promise<boolean> {
  const scope = [productId, ctx.actor.accountId];
  const held = await ctx.sql.rows<{ id: string; pathname: string; bytes: bigint; kind: 'rush' | 'avatar' }>(
    'purge.captures',
    `(SELECT "id", "pathname", "bytes", 'rush' AS "kind" FROM "CaptureRush"
        WHERE "productId" = $1 AND "accountId" = $2 AND "clearedAt" IS NULL LIMIT ${STEP})
     UNION ALL (SELECT "id", "pathname", 0, 'avatar' FROM "Avatar"
        WHERE "productId" = $1 AND "accountId" = $2 AND "deletedAt" IS NULL AND starts_with("pathname", 'avatars/') LIMIT ${STEP})`,
    scope,
  );
  if (held.length === 0) return false;
  await store.delete(held.map((one) => one.pathname));
  const ids = (kind: string) => held.filter((one) => one.kind === kind).map((one) => one.id);
  const [now, tx] = [ctx.clock.now(), ctx.sql];
  const rushes = await tx.rows(
    'purge.clear_rushes',
    'UPDATE "CaptureRush" SET "clearedAt" = $2 WHERE "id" = ANY($1::text[]) AND "clearedAt" IS NULL RETURNING 1',
    [ids('rush'), now],
  );
  const avatars = await tx.rows(
    'purge.delete_own_avatars',
    'UPDATE "Avatar" SET "deletedAt" = $2 WHERE "id" = ANY($1::text[]) AND "deletedAt" IS NULL RETURNING 1',
    [ids('avatar'), now],
  );
  report.clearedCaptures += rushes.length;
  report.deletedAvatars += avatars.length;
  return true;
}

/** Everything that lies under the product's own folder, whoever put it there. */
async function purgeFolder(purge: Purge): Promise<boolean> {
  const { store, report, page } = purge;
  // Page by page, not until nothing is listed: a store may list for a while what it has deleted.
  const { files, cursor } = await store.list({
    prefix: report.prefix,
    limit: STEP,
    ...(page ? { cursor: page } : {}),
  });
  await store.delete(files.map((file) => file.pathname));
  report.removedObjects += files.length;
  report.removedBytes += files.reduce((total, file) => total + file.bytes, 0);
  purge.page = cursor ?? null;
  return cursor !== undefined;
}

async function hasRunning({ ctx, productId }: Purge): Promise<boolean> {
  const running = await ctx.sql.rows(
    'purge.running',
    `SELECT 1 FROM "Generation" WHERE "accountId" = $2 AND "productId" = $1 AND "state" IN ('STARTING', 'SUBMITTED') LIMIT 1`,
    [productId, ctx.actor.accountId],
  );
  return running.length > 0;
}

function sum(files: readonly { bytes: bigint }[]): number {
  return files.reduce((total, file) => total + Number(file.bytes), 0);
}
