import { type AccountActor, actorLabel } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import type { SqlTransaction } from '#lib/db/connection.ts';
import { MAX_MEMORY_DEPTH } from '../limits.ts';
import { memoryNotFound } from '../not-found.ts';
import { requireBrainWrite } from '../require-brain-write.ts';
import type { PillarRole } from '../templates.ts';
import { holdTree } from './subtree.ts';

type Deleted = {
  id: string;
  spaceId: string;
  role: PillarRole;
  parentId: string | null;
  depth: number;
  cu: number;
};

const FIND = `SELECT "spaceId" FROM "Memory" WHERE "deletionId" = $2 AND "accountId" = $1 LIMIT 1`;

const HOLD_DELETED = `
SELECT id, "spaceId", role::text AS role, "parentId", depth, cu FROM "Memory"
WHERE "deletionId" = $2 AND "accountId" = $1 AND "deletedAt" IS NOT NULL ORDER BY id FOR NO KEY UPDATE`;

const PARENT = `SELECT role::text AS role, depth FROM "Memory" WHERE id = $2 AND "accountId" = $1 AND "deletedAt" IS NULL`;

// $1 account, $2 ids, $3 revision ids, $4 now, $5 root, $6 its parent, $7 change of depth, $8 actor, $9 Space, $10 CU, $11 count.
// A key that another import gave to a live Memory meanwhile stays with that one.
const RESTORE = `
WITH restored AS (
  UPDATE "Memory" m SET "deletedAt" = NULL, "deletionId" = NULL, version = m.version + 1, depth = m.depth + $7::int,
    "parentId" = CASE WHEN m.id = $5 THEN $6 ELSE m."parentId" END,
    "importKey" = CASE WHEN EXISTS (SELECT 1 FROM "Memory" o WHERE o."spaceId" = m."spaceId" AND o."importKey" = m."importKey"
      AND o."deletedAt" IS NULL) THEN NULL ELSE m."importKey" END
  WHERE m.id = ANY($2::text[]) RETURNING m.*
), revised AS (
  INSERT INTO "MemoryRevision" (id, "accountId", "memoryId", version, change, role, "parentId", kind, title, body, actor, "createdAt")
  SELECT given.revision, $1, m.id, m.version, 'RESTORED', m.role, m."parentId", m.kind, m.title, m.body, $8, $4
  FROM unnest($2::text[], $3::text[]) AS given (id, revision) JOIN restored m ON m.id = given.id
), counted AS (
  UPDATE "Space" SET cu = cu + $10::int, memories = memories + $11::int, version = version + 1, "updatedAt" = $4
  WHERE id = $9 AND "accountId" = $1 AND "archivedAt" IS NULL RETURNING id
)
UPDATE "Account" SET "usedCu" = "usedCu" + $10::int, "updatedAt" = $4
WHERE id = $1 AND EXISTS (SELECT 1 FROM counted) RETURNING "usedCu", "capacityCu"`;

/**
 * Brings back, together, what one deletion took away. Where its parent is gone, or no longer leaves room for it, it comes back at the
 * root of its pillar. Errors, nothing changed: `forbidden`, `not_found` (already undone, or the Space is archived), `capacity_full`.
 */
export async function undoDelete(
  ctx: Context<AccountActor>,
  input: { deletionId: string },
): Promise<{ memoryId: string; restored: number; atRoot: boolean }> {
  requireBrainWrite(ctx);
  try {
    return await undo(ctx, input);
  } catch (error) {
    // An import took the key of one of them at this very moment: the second look leaves the key to the import.
    if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
    return undo(ctx, input);
  }
}

const UNIQUE_VIOLATION = '23505';

async function undo(ctx: Context<AccountActor>, input: { deletionId: string }) {
  const { accountId } = ctx.actor;
  return ctx.sql.transaction(async (tx) => {
    const [found] = await tx.rows<{ spaceId: string }>('find-deletion', FIND, [accountId, input.deletionId]);
    if (!found) throw memoryNotFound();
    await holdTree(tx, found.spaceId);
    const rows = await tx.rows<Deleted>('hold-deleted', HOLD_DELETED, [accountId, input.deletionId]);
    const ids = new Set(rows.map(({ id }) => id));
    const root = rows.find(({ parentId }) => parentId === null || !ids.has(parentId));
    if (!root) throw memoryNotFound();
    const height = Math.max(...rows.map(({ depth }) => depth)) - root.depth;
    const place = await placeFor(tx, accountId, root, height);
    const now = ctx.clock.now();
    const cu = rows.reduce((sum, memory) => sum + memory.cu, 0);
    const [account] = await tx.rows<{ usedCu: number; capacityCu: number }>('restore-memories', RESTORE, [
      accountId,
      [...ids],
      rows.map(() => createId('revision', now)),
      now,
      root.id,
      place.parentId,
      place.depth - root.depth,
      actorLabel(ctx.actor),
      root.spaceId,
      cu,
      rows.length,
    ]);
    if (!account) throw memoryNotFound();
    // Judged once the account is held, and undone with the transaction.
    if (account.usedCu > account.capacityCu) throw new ServiceError('capacity_full');
    await recordAudits(tx, ctx, [
      {
        action: 'memory.undeleted',
        accountId,
        subject: { type: 'memory', id: root.id },
        data: { spaceId: root.spaceId, deletionId: input.deletionId, memories: rows.length, cu },
      },
    ]);
    const atRoot = root.parentId !== null && place.parentId === null;
    return { memoryId: root.id, restored: rows.length, atRoot };
  });
}

async function placeFor(
  tx: SqlTransaction,
  accountId: string,
  root: Deleted,
  height: number,
): Promise<{ parentId: string | null; depth: number }> {
  if (root.parentId !== null) {
    const [parent] = await tx.rows<{ role: PillarRole; depth: number }>('restore-parent', PARENT, [
      accountId,
      root.parentId,
    ]);
    if (parent?.role === root.role && parent.depth + 1 + height <= MAX_MEMORY_DEPTH)
      return { parentId: root.parentId, depth: parent.depth + 1 };
  }
  return { parentId: null, depth: 0 };
}
