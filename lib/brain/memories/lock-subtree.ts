import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import { isWithinReach } from '#lib/db/space-rights.ts';
import type { Transaction } from '#lib/db/transaction.ts';
import { memoryNotFound } from '../not-found.ts';
import { requireBrainWrite } from '../require-brain-write.ts';
import type { PillarRole } from '../templates.ts';

/** A Memory of a subtree locked by this transaction. */
export type LockedMemory = {
  id: string;
  spaceId: string;
  role: PillarRole;
  parentId: string | null;
  depth: number;
  title: string;
  cu: number;
  version: number;
};

/** Sets this lock apart from others of the database. */
const TREE_LOCK = 4_207_313;

/**
 * Makes what changes the shape of one Space's tree (move, delete, undo) wait for each other. Taken before any row; writers
 * that touch one Memory do not take it.
 */
export async function lockTree(tx: Transaction, spaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(TREE_LOCK)}, hashtext(${spaceId}))`.execute(tx);
}

/**
 * Locks a live Memory and all that is nested in it, the Memory itself first in the answer. Nobody can then edit them, nor nest
 * anything more under one of them. Errors: `not_found`, `forbidden` where its Space may not be written in.
 */
export async function lockSubtree(
  tx: Transaction,
  ctx: { actor: AccountActor },
  memoryId: string,
): Promise<[LockedMemory, ...LockedMemory[]]> {
  const input = { accountId: ctx.actor.accountId, memoryId };
  const found = await tx
    .selectFrom('Memory as m')
    .innerJoin('Space as s', 's.id', 'm.spaceId')
    .select('m.spaceId')
    .where('m.id', '=', input.memoryId)
    .where('m.accountId', '=', input.accountId)
    .where('m.deletedAt', 'is', null)
    .where('s.archivedAt', 'is', null)
    .where(isWithinReach(ctx.actor, 's.id'))
    .executeTakeFirst();
  if (!found) throw memoryNotFound();
  requireBrainWrite(ctx, found.spaceId);
  await lockTree(tx, found.spaceId);
  let locked: LockedMemory[] = [];
  // A Memory nested while we waited for a lock is seen the next time; once all are locked, none can be added.
  for (let known = -1; known !== locked.length; ) {
    known = locked.length;
    locked = await lockRows(tx, input);
  }
  const root = locked.find(({ id }) => id === input.memoryId);
  if (!root) throw memoryNotFound();
  return [root, ...locked.filter((memory) => memory !== root)];
}

function lockRows(tx: Transaction, input: { accountId: string; memoryId: string }): Promise<LockedMemory[]> {
  return tx
    .withRecursive('tree', (db) =>
      db
        .selectFrom('Memory')
        .select('id')
        .where('id', '=', input.memoryId)
        .where('accountId', '=', input.accountId)
        .where('deletedAt', 'is', null)
        .union(
          db
            .selectFrom('Memory as child')
            .innerJoin('tree', 'tree.id', 'child.parentId')
            .select('child.id')
            .where('child.deletedAt', 'is', null),
        ),
    )
    .selectFrom('Memory as m')
    .select(['m.id', 'm.spaceId', 'm.role', 'm.parentId', 'm.depth', 'm.title', 'm.cu', 'm.version'])
    .where('m.id', 'in', (eb) => eb.selectFrom('tree').select('tree.id'))
    .where('m.deletedAt', 'is', null)
    .orderBy('m.id')
    .forNoKeyUpdate()
    .execute();
}
