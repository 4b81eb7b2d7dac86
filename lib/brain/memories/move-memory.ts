import { type AccountActor, actorLabel } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import type { SqlTransaction } from '#lib/db/connection.ts';
import { MAX_MEMORY_DEPTH } from '../limits.ts';
import { requireBrainWrite } from '../require-brain-write.ts';
import type { PillarRole } from '../templates.ts';
import { type HeldMemory, holdSubtree } from './subtree.ts';

const PARENT = `
SELECT id, "spaceId", role::text AS role, depth FROM "Memory" WHERE id = $2 AND "accountId" = $1 AND "deletedAt" IS NULL`;

// $1 root, $2 ids of the whole subtree, $3 role, $4 parent of the root, $5 change of depth, $6 now, $7 account, $8 actor,
// $9 ids that get a revision, $10 their revision ids.
const MOVE = `
WITH moved AS (
  UPDATE "Memory" m SET role = $3::"PillarRole", depth = m.depth + $5::int,
    "parentId" = CASE WHEN m.id = $1 THEN $4 ELSE m."parentId" END,
    version = m.version + CASE WHEN m.id = ANY($9::text[]) THEN 1 ELSE 0 END,
    "updatedAt" = CASE WHEN m.id = ANY($9::text[]) THEN $6 ELSE m."updatedAt" END
  WHERE m.id = ANY($2::text[])
  RETURNING m.*
)
INSERT INTO "MemoryRevision" (id, "accountId", "memoryId", version, change, role, "parentId", kind, title, body, actor, "createdAt")
SELECT given.revision, $7, m.id, m.version, 'MOVED', m.role, m."parentId", m.kind, m.title, m.body, $8, $6
FROM unnest($9::text[], $10::text[]) AS given (id, revision) JOIN moved m ON m.id = given.id`;

const TOUCH = `
UPDATE "Space" SET version = version + 1, "updatedAt" = $3
WHERE id = $2 AND "accountId" = $1 AND "archivedAt" IS NULL RETURNING id`;

/** A change of place that is refused, about `parentId`. */
function refuse(message: string): never {
  throw new ServiceError('invalid_request', { message, problems: [{ field: 'parentId', message }] });
}

/**
 * Puts a Memory, with all that is nested in it, in a pillar of its Space, under another Memory or at the root. What it was before
 * is returned, for undo. Moves of one Space wait for each other: two of them can never make a circle.
 * Errors, nothing changed: `forbidden`, `not_found`, `invalid_request` (a circle, another pillar's parent, more than 16 levels).
 */
export async function moveMemory(
  ctx: Context<AccountActor>,
  input: { memoryId: string; pillar: PillarRole; parentId: string | null },
): Promise<{ moved: number; version: number; before: { pillar: PillarRole; parentId: string | null } }> {
  requireBrainWrite(ctx);
  return ctx.sql.transaction(async (tx) => {
    const held = await holdSubtree(tx, { accountId: ctx.actor.accountId, memoryId: input.memoryId });
    const [root] = held;
    const before = { pillar: root.role, parentId: root.parentId };
    if (root.role === input.pillar && root.parentId === input.parentId)
      return { moved: 0, version: root.version, before };
    const depth = await depthUnder(ctx, tx, held, input);
    const deepest = Math.max(...held.map((memory) => memory.depth)) - root.depth + depth;
    if (deepest > MAX_MEMORY_DEPTH) refuse(`L’imbrication dépasserait ${MAX_MEMORY_DEPTH} niveaux.`);

    const now = ctx.clock.now();
    // What only follows its parent keeps its history quiet; what changes pillar says so in its own.
    const revised = root.role === input.pillar ? [root] : held;
    await tx.rows('move-memory', MOVE, [
      root.id,
      held.map(({ id }) => id),
      input.pillar,
      input.parentId,
      depth - root.depth,
      now,
      ctx.actor.accountId,
      actorLabel(ctx.actor),
      revised.map(({ id }) => id),
      revised.map(() => createId('revision', now)),
    ]);
    const touched = await tx.rows('touch-space', TOUCH, [ctx.actor.accountId, root.spaceId, now]);
    if (touched.length === 0) throw new ServiceError('not_found');
    await recordAudits(tx, ctx, [
      {
        action: 'memory.moved',
        accountId: ctx.actor.accountId,
        subject: { type: 'memory', id: root.id },
        data: { spaceId: root.spaceId, from: before, to: { pillar: input.pillar, parentId: input.parentId } },
      },
    ]);
    return { moved: held.length, version: root.version + 1, before };
  });
}

async function depthUnder(
  ctx: Context<AccountActor>,
  tx: SqlTransaction,
  held: readonly [HeldMemory, ...HeldMemory[]],
  { parentId, pillar }: { parentId: string | null; pillar: PillarRole },
): Promise<number> {
  if (parentId === null) return 0;
  if (parentId === held[0].id) refuse('Une mémoire ne peut pas être rangée sous elle-même.');
  if (held.some(({ id }) => id === parentId))
    refuse('Une mémoire ne peut pas être rangée sous une de celles qu’elle contient.');
  const [parent] = await tx.rows<{ spaceId: string; role: PillarRole; depth: number }>(
    'move-parent',
    PARENT,
    [ctx.actor.accountId, parentId],
  );
  if (!parent) refuse('La mémoire choisie comme parente n’existe plus.');
  if (parent.spaceId !== held[0].spaceId) refuse('La mémoire parente est dans un autre espace.');
  if (parent.role !== pillar) refuse('La mémoire parente est dans un autre pilier.');
  return parent.depth + 1;
}
