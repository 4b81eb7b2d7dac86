import { type AccountActor, actorLabel } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { capacityUnits } from '../capacity-units.ts';
import { memoryNotFound } from '../not-found.ts';
import { requireBrainWrite } from '../require-brain-write.ts';
import type { MemoryKind } from '../templates.ts';

// Locks in the order that every writer follows: Memory, Space, Account. One statement, one transaction.
const UPDATE_MEMORY = `
WITH target AS (
  SELECT m.id, m."spaceId", m.cu, m.version, m.role, m."parentId", m.kind FROM "Memory" m JOIN "Space" s ON s.id = m."spaceId"
  WHERE m.id = $2 AND m."accountId" = $1 AND m."deletedAt" IS NULL AND s."archivedAt" IS NULL FOR NO KEY UPDATE OF m
), current AS (
  SELECT * FROM target WHERE $3::int IS NULL OR version = $3
), counted AS (
  UPDATE "Space" s SET cu = s.cu + $7::int - c.cu, version = s.version + 1, "updatedAt" = $8 FROM current c
  WHERE s.id = c."spaceId" AND (SELECT a."usedCu" + $7::int - c.cu <= a."capacityCu" OR $7::int <= c.cu FROM "Account" a WHERE a.id = $1)
  RETURNING s.id
), claimed AS (
  UPDATE "Account" a SET "usedCu" = a."usedCu" + $7::int - c.cu, "updatedAt" = $8 FROM current c
  WHERE a.id = $1 AND EXISTS (SELECT 1 FROM counted)
  RETURNING a."usedCu", a."capacityCu", c.cu AS "oldCu"
), changed AS (
  UPDATE "Memory" m SET title = $4, body = $5, kind = COALESCE($6::"MemoryKind", m.kind), cu = $7::int, version = m.version + 1, "updatedAt" = $8
  FROM claimed WHERE m.id = $2
  RETURNING m.id, m.version, m.role, m."parentId", m.kind, m."spaceId"
), revised AS (
  INSERT INTO "MemoryRevision" (id, "accountId", "memoryId", version, change, role, "parentId", kind, title, body, actor, "createdAt")
  SELECT $9, $1, id, version, $10::"RevisionChange", role, "parentId", kind, $4, $5, $11, $8 FROM changed
), audited AS (
  INSERT INTO "AuditEntry" (id, "accountId", at, action, actor, "subjectType", "subjectId", data, "requestId")
  SELECT $12, $1, $8, CASE $10::text WHEN 'RESTORED' THEN 'memory.restored' ELSE 'memory.updated' END, $11, 'memory', id,
    jsonb_build_object('spaceId', "spaceId", 'version', version, 'cu', $7::int), $13 FROM changed
)
SELECT target.version AS "foundVersion", changed.version AS "newVersion", claimed."usedCu", claimed."capacityCu", claimed."oldCu"
FROM target LEFT JOIN changed ON true LEFT JOIN claimed ON true`;

type Row = {
  foundVersion: number;
  newVersion: number | null;
  usedCu: number | null;
  capacityCu: number | null;
  oldCu: number | null;
};

export type UpdateMemoryInput = {
  memoryId: string;
  /** Version that the writer had before its eyes; null overwrites whatever is there. */
  expectedVersion: number | null;
  /** Already trimmed, 1 to 200 characters. */
  title: string;
  body: string;
  kind?: MemoryKind;
  change?: 'EDITED' | 'RESTORED';
};

/**
 * Writes a new version of a Memory; the former one stays in its history. Of two writers who saw the same version, the
 * second is told. Errors, nothing written: `forbidden`, `not_found`, `conflict` (detail: the current version),
 * `capacity_full` (only when the Memory grows).
 */
export async function updateMemory(
  ctx: Context<AccountActor>,
  input: UpdateMemoryInput,
): Promise<{ version: number }> {
  requireBrainWrite(ctx);
  const now = ctx.clock.now();
  const cu = capacityUnits(input.title, input.body);
  return ctx.sql.transaction(async (tx) => {
    // The statement looked at the capacity before it held the account; what it wrote is judged again, and undone if too much.
    const [row] = await tx.rows<Row>('update-memory', UPDATE_MEMORY, [
      ctx.actor.accountId,
      input.memoryId,
      input.expectedVersion,
      input.title,
      input.body,
      input.kind ?? null,
      cu,
      now,
      createId('revision', now),
      input.change ?? 'EDITED',
      actorLabel(ctx.actor),
      createId('audit', now),
      ctx.requestId,
    ]);
    if (!row) throw memoryNotFound();
    if (input.expectedVersion !== null && row.foundVersion !== input.expectedVersion)
      throw new ServiceError('conflict', { detail: String(row.foundVersion) });
    const overfills =
      row.usedCu !== null && row.capacityCu !== null && row.usedCu > row.capacityCu && cu > (row.oldCu ?? 0);
    if (row.newVersion === null || overfills) throw new ServiceError('capacity_full');
    return { version: row.newVersion };
  });
}
