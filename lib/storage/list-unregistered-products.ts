import { type AccountActor, hasPermission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { isRegistered } from '#lib/products/registry.ts';
import { FREE_PRODUCT } from '#lib/products/types.ts';

/** A product that the registry does not name any more, and what is left of it. */
export type UnregisteredProduct = {
  productId: string;
  assets: number;
  avatars: number;
  uploads: number;
  rushes: number;
  bytes: bigint;
  generations: number;
  /** Generations that still run: a purge is complete only once they are closed. */
  running: number;
  lastAt: Date | null;
};

// Product by product from the index (account, product, …): as many steps as products, however many rows each has.
const NAMED = (table: string) => `
  named_${table.toLowerCase()} AS (
    (SELECT "productId" FROM "${table}" WHERE "accountId" = $1 ORDER BY "productId" LIMIT 1)
    UNION ALL
    SELECT (SELECT t."productId" FROM "${table}" t WHERE t."accountId" = $1 AND t."productId" > n."productId"
      ORDER BY t."productId" LIMIT 1)
    FROM named_${table.toLowerCase()} n WHERE n."productId" IS NOT NULL)`;
const TABLES = ['Generation', 'Asset', 'Upload', 'Avatar', 'CaptureRush'];

const LEFT = `
  WITH RECURSIVE ${TABLES.map(NAMED).join(',')},
  named AS (${TABLES.map((table) => `SELECT "productId" FROM named_${table.toLowerCase()}`).join(' UNION ')})
  SELECT n."productId", a."assets", a."bytes" + u."bytes" + c."bytes" AS "bytes", v."avatars", u."uploads", c."rushes",
    g."generations", g."running", g."lastAt"
  FROM named n
  CROSS JOIN LATERAL (SELECT count(*)::int AS "assets", COALESCE(SUM("bytes"), 0)::bigint AS "bytes" FROM "Asset"
    WHERE "accountId" = $1 AND "productId" = n."productId" AND "deletedAt" IS NULL) a
  CROSS JOIN LATERAL (SELECT count(*)::int AS "uploads", COALESCE(SUM("bytes"), 0)::bigint AS "bytes" FROM "Upload"
    WHERE "accountId" = $1 AND "productId" = n."productId" AND "deletedAt" IS NULL) u
  CROSS JOIN LATERAL (SELECT count(*)::int AS "avatars" FROM "Avatar"
    WHERE "accountId" = $1 AND "productId" = n."productId" AND "deletedAt" IS NULL) v
  CROSS JOIN LATERAL (SELECT count(*)::int AS "rushes", COALESCE(SUM("bytes") FILTER (WHERE "uploadId" IS NULL), 0)::bigint AS "bytes"
    FROM "CaptureRush" WHERE "accountId" = $1 AND "productId" = n."productId" AND "clearedAt" IS NULL) c
  CROSS JOIN LATERAL (SELECT count(*)::int AS "generations", count(*) FILTER (WHERE "state" IN ('STARTING', 'SUBMITTED'))::int AS "running",
    max("createdAt") AS "lastAt" FROM "Generation" WHERE "accountId" = $1 AND "productId" = n."productId") g
  WHERE n."productId" IS NOT NULL AND NOT (n."productId" = ANY($2::text[])) ORDER BY n."productId"`;

/**
 * The products that rows of the account name and that the registry does not: what a purge can delete, and the journal rows that
 * stay in any case. Founders (`storage.purge`), else `forbidden`.
 */
export async function listUnregisteredProducts(
  ctx: Context<AccountActor>,
  registered: readonly string[],
): Promise<UnregisteredProduct[]> {
  if (!hasPermission(ctx.actor, 'storage.purge')) throw new ServiceError('forbidden');
  const rows = await ctx.sql.rows<UnregisteredProduct>('storage.left_products', LEFT, [
    ctx.actor.accountId,
    [FREE_PRODUCT, ...registered],
  ]);
  return rows.filter(({ productId }) => !isRegistered(productId));
}
