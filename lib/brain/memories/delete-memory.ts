import { type AccountActor, actorLabel } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { requireBrainWrite } from '../require-brain-write.ts';
import { holdSubtree } from './subtree.ts';

// $1 account, $2 ids, $3 revision ids, $4 now, $5 deletion, $6 actor, $7 Space, $8 CU, $9 count. Memory, Space, Account.
const DELETE = `
WITH deleted AS (
  UPDATE "Memory" m SET "deletedAt" = $4, "deletionId" = $5, version = m.version + 1 WHERE m.id = ANY($2::text[]) RETURNING m.*
), revised AS (
  INSERT INTO "MemoryRevision" (id, "accountId", "memoryId", version, change, role, "parentId", kind, title, body, actor, "createdAt")
  SELECT given.revision, $1, m.id, m.version, 'DELETED', m.role, m."parentId", m.kind, m.title, m.body, $6, $4
  FROM unnest($2::text[], $3::text[]) AS given (id, revision) JOIN deleted m ON m.id = given.id
), counted AS (
  UPDATE "Space" SET cu = cu - $8::int, memories = memories - $9::int, version = version + 1, "updatedAt" = $4
  WHERE id = $7 AND "archivedAt" IS NULL RETURNING id
)
UPDATE "Account" SET "usedCu" = "usedCu" - $8::int, "updatedAt" = $4
WHERE id = $1 AND EXISTS (SELECT 1 FROM counted) RETURNING id`;

/**
 * Deletes a Memory and all that is nested in it: out of the API, of search and of the context, their CU freed. Their history stays.
 * `deletionId` is what `undoDelete` takes. Errors: `forbidden`, `not_found`.
 */
export async function deleteMemory(
  ctx: Context<AccountActor>,
  input: { memoryId: string },
): Promise<{ deletionId: string; deleted: number; title: string; cu: number }> {
  requireBrainWrite(ctx);
  return ctx.sql.transaction(async (tx) => {
    const { accountId } = ctx.actor;
    const held = await holdSubtree(tx, { accountId, memoryId: input.memoryId });
    const [root] = held;
    const now = ctx.clock.now();
    const deletionId = createId('deletion', now);
    const cu = held.reduce((sum, memory) => sum + memory.cu, 0);
    const done = await tx.rows('delete-memories', DELETE, [
      accountId,
      held.map(({ id }) => id),
      held.map(() => createId('revision', now)),
      now,
      deletionId,
      actorLabel(ctx.actor),
      root.spaceId,
      cu,
      held.length,
    ]);
    if (done.length === 0) throw new ServiceError('not_found');
    await recordAudits(tx, ctx, [
      {
        action: 'memory.deleted',
        accountId,
        subject: { type: 'memory', id: root.id },
        data: { spaceId: root.spaceId, deletionId, memories: held.length, cu },
      },
    ]);
    return { deletionId, deleted: held.length, title: root.title, cu };
  });
}
