import type { SqlTransaction } from '#lib/db/connection.ts';
import type { AssetState } from '#lib/db/generated/prisma/client.ts';
import type { FileFacts } from './keep-reason.ts';

/** A file and what its retention depends on. */
export type FileWithFacts = FileFacts & {
  id: string;
  accountId: string;
  generationId: string | null;
  pathname: string;
  etag: string | null;
  bytes: bigint;
  state: AssetState;
};

/**
 * Names (pathnames and identifiers) that running generations read, as a CTE `in_flight(name)`: their references' files and
 * the voice that a lipsync speaks.
 */
export const IN_FLIGHT = `in_flight AS MATERIALIZED (
  SELECT DISTINCT used."name" #>> '{}' AS "name" FROM "Generation" g
  CROSS JOIN LATERAL (
    SELECT jsonb_path_query(g."references", '$.**.pathname') AS "name"
    UNION ALL SELECT jsonb_path_query(g."references", '$.**.ref')
    UNION ALL SELECT g."references" -> 'voiceGenerationId') used
  WHERE g."state" IN ('STARTING', 'SUBMITTED') AND used."name" IS NOT NULL)`;

// A lineage is the whole tree of a first file: up to its root once per file, then down from each root once.
const FACTS = `
  WITH RECURSIVE wanted AS MATERIALIZED (SELECT a.* FROM "Asset" a WHERE a."id" = ANY($1::text[])),
  climb AS (
    SELECT w."id" AS "file", g."id" AS "at", g."ancestorId" FROM wanted w JOIN "Generation" g ON g."id" = w."generationId"
    UNION ALL SELECT c."file", g."id", g."ancestorId" FROM climb c JOIN "Generation" g ON g."id" = c."ancestorId"),
  root AS (SELECT "file", "at" AS "root" FROM climb WHERE "ancestorId" IS NULL),
  tree AS (
    SELECT DISTINCT "root", "root" AS "at" FROM root
    UNION SELECT t."root", g."id" FROM tree t JOIN "Generation" g ON g."ancestorId" = t."at"),
  kept_generation AS MATERIALIZED (
    SELECT DISTINCT t."root", t."at" FROM tree t JOIN "Asset" a ON a."generationId" = t."at"
    WHERE a."state" IN ('APPROVED', 'DELIVERED') AND a."deletedAt" IS NULL),
  climb_file AS (
    SELECT w."id" AS "file", w."id" AS "at", w."ancestorId" FROM wanted w
    UNION ALL SELECT c."file", a."id", a."ancestorId" FROM climb_file c JOIN "Asset" a ON a."id" = c."ancestorId"),
  root_file AS (SELECT "file", "at" AS "root" FROM climb_file WHERE "ancestorId" IS NULL),
  tree_file AS (
    SELECT DISTINCT "root", "root" AS "at" FROM root_file
    UNION SELECT t."root", a."id" FROM tree_file t JOIN "Asset" a ON a."ancestorId" = t."at"),
  kept_file AS MATERIALIZED (
    SELECT t."root", t."at" FROM tree_file t JOIN "Asset" a ON a."id" = t."at"
    WHERE a."state" IN ('APPROVED', 'DELIVERED') AND a."deletedAt" IS NULL),
  ${IN_FLIGHT}
  SELECT w."id", w."accountId", w."generationId", w."pathname", w."etag", w."bytes", w."state", w."createdAt",
    w."imported" AS "isImported",
    EXISTS (SELECT 1 FROM "Avatar" v WHERE v."assetId" = w."id" AND v."deletedAt" IS NULL) AS "hasAvatar",
    EXISTS (SELECT 1 FROM "Lesson" l WHERE l."assetId" = w."id" AND l."deletedAt" IS NULL) AS "hasLesson",
    EXISTS (SELECT 1 FROM "Concept" c WHERE c."id" = w."conceptId" AND c."deletedAt" IS NULL) AS "hasConcept",
    EXISTS (SELECT 1 FROM root r JOIN kept_generation k USING ("root")
      WHERE r."file" = w."id" AND k."at" <> w."generationId")
    OR EXISTS (SELECT 1 FROM root_file r JOIN kept_file k USING ("root") WHERE r."file" = w."id" AND k."at" <> w."id")
      AS "hasKeptRelative",
    EXISTS (SELECT 1 FROM in_flight f WHERE f."name" IN (w."pathname", w."id", w."generationId"))
    OR COALESCE(g."state" IN ('STARTING', 'SUBMITTED'), false)
    OR COALESCE(w."usedAt" BETWEEN $2::timestamptz - interval '1 hour' AND $2::timestamptz + interval '1 hour', false)
      AS "isInFlight",
    COALESCE(g."kind" = 'RENDER', false) AND EXISTS (SELECT 1 FROM "Asset" s WHERE s."generationId" = w."generationId"
      AND s."id" <> w."id" AND s."state" IN ('APPROVED', 'DELIVERED') AND s."deletedAt" IS NULL) AS "hasKeptSibling"
  FROM wanted w LEFT JOIN "Generation" g ON g."id" = w."generationId"
  ORDER BY w."createdAt", w."id"`;

/** The facts of some files at an instant, in one round trip, in the order of their creation. The caller has checked the tenancy. */
export async function readFileFacts(
  sql: SqlTransaction,
  assetIds: readonly string[],
  now: Date,
): Promise<FileWithFacts[]> {
  if (assetIds.length === 0) return [];
  return sql.rows<FileWithFacts>('storage.facts', FACTS, [assetIds, now]);
}
