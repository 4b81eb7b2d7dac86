import type { SqlTransaction } from '#lib/db/connection.ts';
import { memoryNotFound } from '../not-found.ts';
import type { MemoryKind, PillarRole } from '../templates.ts';

/** A Memory of a subtree held by this transaction. */
export type HeldMemory = {
  id: string;
  spaceId: string;
  role: PillarRole;
  parentId: string | null;
  depth: number;
  kind: MemoryKind;
  title: string;
  cu: number;
  version: number;
};

const FIND = `
SELECT m."spaceId" FROM "Memory" m JOIN "Space" s ON s.id = m."spaceId"
WHERE m.id = $2 AND m."accountId" = $1 AND m."deletedAt" IS NULL AND s."archivedAt" IS NULL`;

const HOLD = `
WITH RECURSIVE tree AS (
  SELECT id FROM "Memory" WHERE id = $2 AND "accountId" = $1 AND "deletedAt" IS NULL
  UNION SELECT child.id FROM "Memory" child JOIN tree ON child."parentId" = tree.id WHERE child."deletedAt" IS NULL
)
SELECT m.id, m."spaceId", m.role::text AS role, m."parentId", m.depth, m.kind::text AS kind, m.title, m.cu, m.version
FROM "Memory" m WHERE m.id IN (SELECT id FROM tree) AND m."deletedAt" IS NULL ORDER BY m.id FOR NO KEY UPDATE`;

/**
 * Serialises the gestures that change the shape of one Space's tree (move, delete, undo). Taken before any row; writers
 * that touch one Memory do not take it.
 */
export async function holdTree(tx: SqlTransaction, spaceId: string): Promise<void> {
  await tx.rows('hold-tree', 'SELECT pg_advisory_xact_lock(4207313, hashtext($1))', [spaceId]);
}

/**
 * Locks a live Memory and all that is nested in it, the Memory itself first in the answer. Nobody can then edit them, nor nest
 * anything more under one of them. Errors: `not_found`.
 */
export async function holdSubtree(
  tx: SqlTransaction,
  input: { accountId: string; memoryId: string },
): Promise<[HeldMemory, ...HeldMemory[]]> {
  const params = [input.accountId, input.memoryId];
  const [found] = await tx.rows<{ spaceId: string }>('find-live-memory', FIND, params);
  if (!found) throw memoryNotFound();
  await holdTree(tx, found.spaceId);
  let held: HeldMemory[] = [];
  // A Memory nested while we waited for a lock is seen by the next look; once all are held, none can be added.
  for (let known = -1; known !== held.length; ) {
    known = held.length;
    held = await tx.rows<HeldMemory>('hold-subtree', HOLD, params);
  }
  const root = held.find(({ id }) => id === input.memoryId);
  if (!root) throw memoryNotFound();
  return [root, ...held.filter((memory) => memory !== root)];
}
