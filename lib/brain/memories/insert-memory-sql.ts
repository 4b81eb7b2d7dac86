/**
 * Adds one Memory in one statement, hence one transaction: the parent is held where it is, then the Space, then the account's row is
 * locked and its capacity claimed (every writer's order of locks: Memory, Space, Account), and the Memory, its first revision, the
 * Space's counters and the audit entry are written. Returns no row, having written nothing, when the Space, the parent or the room is not there.
 */
export const INSERT_MEMORY = `
WITH parent AS (
  SELECT id FROM "Memory"
  WHERE id = $5 AND "accountId" = $1 AND "spaceId" = $3 AND role = $4::"PillarRole" AND "deletedAt" IS NULL AND depth + 1 = $6
  FOR SHARE
), space AS (
  SELECT id FROM "Space" WHERE id = $3 AND "accountId" = $1 AND "archivedAt" IS NULL
    AND ($5::text IS NULL OR EXISTS (SELECT 1 FROM parent))
  FOR NO KEY UPDATE
), claimed AS (
  UPDATE "Account" SET "usedCu" = "usedCu" + $13::int, "updatedAt" = $14
  WHERE id = $1 AND "usedCu" + $13::int <= "capacityCu" AND EXISTS (SELECT 1 FROM space)
  RETURNING id
), counted AS (
  UPDATE "Space" SET cu = cu + $13::int, memories = memories + 1, version = version + 1, "updatedAt" = $14
  WHERE id = $3 AND EXISTS (SELECT 1 FROM claimed)
  RETURNING id
), added AS (
  INSERT INTO "Memory" (id, "accountId", "spaceId", role, "parentId", depth, kind, title, body, source, "sourceRef", file, cu,
    "createdAt", "updatedAt", "idempotencyKey", "idempotencyFingerprint", "importKey")
  SELECT $2, $1, $3, $4::"PillarRole", $5, $6::int, $7::"MemoryKind", $8, $9, $10::"MemorySource", $11, $12::jsonb, $13::int,
    $22::timestamptz, $23::timestamptz, $15, $16, $21
  FROM counted
  RETURNING id
), revised AS (
  INSERT INTO "MemoryRevision" (id, "accountId", "memoryId", version, change, role, "parentId", kind, title, body, actor, "createdAt")
  SELECT $17, $1, $2, 1, 'CREATED', $4::"PillarRole", $5, $7::"MemoryKind", $8, $9, $18, $14 FROM added
), audited AS (
  INSERT INTO "AuditEntry" (id, "accountId", at, action, actor, "subjectType", "subjectId", data, "requestId")
  SELECT $19, $1, $14, 'memory.added', $18, 'memory', $2,
    jsonb_build_object('spaceId', $3::text, 'pillar', $4::text, 'source', $10::text, 'cu', $13::int), $20
  FROM added
)
SELECT id FROM added`;
