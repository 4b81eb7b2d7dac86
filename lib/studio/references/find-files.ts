import type { AccountActor } from '#lib/core/actor.ts';
import type { StudioContext } from '../context.ts';

/** A file of the account that a reference names. */
export type OwnFile = {
  id: string;
  pathname: string;
  productId: string;
  source: 'asset' | 'upload' | 'avatar';
};

/**
 * The files of the account behind these identifiers and pathnames, in one round trip; what is deleted or another account's
 * is not found. An upload that is found is touched: retention counts its 30 days from now; an asset is kept for the next hour.
 */
export async function findOwnFiles(
  ctx: StudioContext<AccountActor>,
  input: { ids: readonly string[]; pathnames: readonly string[] },
): Promise<OwnFile[]> {
  if (input.ids.length + input.pathnames.length === 0) return [];
  return ctx.sql.rows<OwnFile>(
    'studio.own_files',
    `WITH touched AS (
       UPDATE "Upload" SET "touchedAt" = $4 WHERE "accountId" = $1 AND "deletedAt" IS NULL AND "expiringAt" IS NULL
         AND ("id" = ANY($2::text[]) OR "pathname" = ANY($3::text[]))
       RETURNING "id", "pathname", "productId"),
     used AS (
       UPDATE "Asset" SET "usedAt" = $4 WHERE "accountId" = $1 AND "deletedAt" IS NULL AND "expiringAt" IS NULL
         AND ("id" = ANY($2::text[]) OR "pathname" = ANY($3::text[]))
       RETURNING "id", "pathname", "productId")
     SELECT "id", "pathname", "productId", 'upload' AS "source" FROM touched
     UNION ALL SELECT "id", "pathname", "productId", 'asset' FROM used
     UNION ALL SELECT "id", "pathname", "productId", 'avatar' FROM "Avatar" WHERE "accountId" = $1 AND "deletedAt" IS NULL
       AND ("id" = ANY($2::text[]) OR "pathname" = ANY($3::text[]))`,
    [ctx.actor.accountId, input.ids, input.pathnames, ctx.clock.now()],
  );
}
