import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { AssetState, AssetType } from '#lib/db/generated/prisma/client.ts';
import { fileGone } from '../refusals.ts';

export type LineageRelation = 'self' | 'ancestor' | 'descendant' | 'variant';

/** A generation of a lineage, with its first file when there is one left. */
export type LineageEntry = {
  generationId: string;
  relation: LineageRelation;
  ancestorId: string | null;
  createdAt: Date;
  assetId: string | null;
  pathname: string | null;
  type: AssetType | null;
  state: AssetState | null;
};

/** A lineage longer than this is cut: the nearest to its root come first. */
const LINEAGE_MAX = 500;

const LINEAGE = `
  WITH RECURSIVE up AS (
    SELECT g."id", g."ancestorId" FROM "Generation" g WHERE g."id" = $1 AND g."accountId" = $2
    UNION ALL SELECT g."id", g."ancestorId" FROM up JOIN "Generation" g ON g."id" = up."ancestorId" AND g."accountId" = $2),
  down AS (
    SELECT g."id" FROM "Generation" g WHERE g."id" = $1 AND g."accountId" = $2
    UNION ALL SELECT g."id" FROM down JOIN "Generation" g ON g."ancestorId" = down."id" AND g."accountId" = $2),
  tree AS (
    SELECT u."id" FROM up u WHERE u."ancestorId" IS NULL
    UNION ALL SELECT g."id" FROM tree t JOIN "Generation" g ON g."ancestorId" = t."id" AND g."accountId" = $2)
  SELECT g."id" AS "generationId", g."ancestorId", g."createdAt", a."id" AS "assetId", a."pathname", a."type", a."state",
    CASE WHEN g."id" = $1 THEN 'self' WHEN g."id" IN (SELECT "id" FROM up) THEN 'ancestor'
      WHEN g."id" IN (SELECT "id" FROM down) THEN 'descendant' ELSE 'variant' END AS "relation"
  FROM tree t JOIN "Generation" g ON g."id" = t."id"
  LEFT JOIN LATERAL (SELECT * FROM "Asset" a WHERE a."generationId" = g."id" AND a."deletedAt" IS NULL
    ORDER BY a."position" LIMIT 1) a ON true
  ORDER BY g."createdAt", g."id" LIMIT ${LINEAGE_MAX}`;

/**
 * The lineage of a generation, oldest first: its ancestors, its descendants, and its variants (what else comes from the same
 * first file). Approving a file of it keeps every other one. Error: `not_found`.
 */
export async function readLineage(
  ctx: Context<AccountActor>,
  input: { generationId: string },
): Promise<LineageEntry[]> {
  const entries = await ctx.sql.rows<LineageEntry>('storage.lineage', LINEAGE, [
    input.generationId,
    ctx.actor.accountId,
  ]);
  if (entries.length === 0) throw fileGone(input.generationId);
  return entries;
}
