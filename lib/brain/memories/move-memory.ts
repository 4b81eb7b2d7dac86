import { type AccountActor, actorLabel } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { changedMeanwhile } from '#lib/core/input/as-shown.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { isWithinReach } from '#lib/db/space-rights.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { requireOpenAccount } from '../account-closed.ts';
import { spaceNotFound } from '../not-found.ts';
import { requireBrainWrite } from '../require-brain-write.ts';
import type { PillarRole } from '../templates.ts';
import { type LockedMemory, lockSubtree } from './lock-subtree.ts';
import { refusalOfParent } from './refusal-of-parent.ts';
import { type ReviseParams, revise } from './revise.ts';

type MoveParams = ReviseParams & {
  rootId: string;
  /** The whole subtree. */
  ids: string[];
  role: PillarRole;
  /** Parent of the root. */
  parentId: string | null;
  deeper: number;
};

const moveMemories = prepared('move-memory', (db, p: Params<MoveParams>) =>
  revise(
    db.with('changed', (one) =>
      one
        .updateTable('Memory')
        .set((eb) => {
          const isRevised = isAnyOf('id', p.revisedIds);
          return {
            role: p.role,
            depth: eb('depth', '+', p.deeper),
            parentId: eb.case().when('id', '=', p.rootId).then(p.parentId).else(eb.ref('parentId')).end(),
            version: eb('version', '+', eb.case().when(isRevised).then(eb.lit(1)).else(eb.lit(0)).end()),
            updatedAt: eb.case().when(isRevised).then(p.now).else(eb.ref('updatedAt')).end(),
          };
        })
        .where(isAnyOf('id', p.ids))
        .returningAll(),
    ),
    p,
  )
    .selectFrom('changed')
    .select('changed.id'),
);

type Place = { pillar: PillarRole; parentId: string | null };

/** A change of place that is refused, about `parentId`. */
function refuse(message: string): never {
  throw new ServiceError('invalid_request', { message, problems: [{ field: 'parentId', message }] });
}

/**
 * Puts a Memory, with all that is nested in it, in a pillar of its Space, under another Memory or at the root. What it was before
 * is returned, for undo. Moves of one Space wait for each other: two of them can never make a circle. `shown`: where the page showed it;
 * without it, it is moved from wherever it is.
 * Errors, nothing changed: `forbidden`, `not_found`, `invalid_request` (a circle, another pillar's parent, more than 16 levels), `conflict` when somebody has
 * moved it elsewhere since; that of a closed account.
 */
export async function moveMemory(
  ctx: Context<AccountActor>,
  input: Place & { memoryId: string; shown?: Place | undefined },
): Promise<{ moved: number; version: number; before: Place }> {
  requireBrainWrite(ctx);
  return transaction(ctx, async (tx) => {
    const { accountId } = ctx.actor;
    const locked = await lockSubtree(tx, ctx, input.memoryId);
    const [root] = locked;
    const before = { pillar: root.role, parentId: root.parentId };
    if (isSamePlace(before, input)) return { moved: 0, version: root.version, before };
    if (input.shown && !isSamePlace(before, input.shown)) throw movedMeanwhile();
    const depth = await depthUnder(ctx, tx, locked, input);
    const now = ctx.clock.now();
    // What only follows its parent keeps its history quiet; what changes pillar says so in its own.
    const revised = root.role === input.pillar ? [root] : locked;
    // The Space is held before any Memory changes (insert-memory.ts says why).
    const space = await tx
      .updateTable('Space')
      .set((eb) => ({ version: eb('version', '+', 1), updatedAt: now }))
      .where('id', '=', root.spaceId)
      .where('accountId', '=', accountId)
      .where('archivedAt', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (!space) throw spaceNotFound();
    await requireOpenAccount(tx, ctx.actor, accountId);
    await moveMemories.run(tx, {
      rootId: root.id,
      ids: locked.map(({ id }) => id),
      role: input.pillar,
      parentId: input.parentId,
      deeper: depth - root.depth,
      revisedIds: revised.map(({ id }) => id),
      revisionIds: revised.map(() => createId('revision', now)),
      change: 'MOVED',
      actor: actorLabel(ctx.actor),
      now,
    });
    await recordAudits(tx, ctx, [
      {
        action: 'memory.moved',
        accountId,
        subject: { type: 'memory', id: root.id },
        data: { spaceId: root.spaceId, from: before, to: { pillar: input.pillar, parentId: input.parentId } },
      },
    ]);
    return { moved: locked.length, version: root.version + 1, before };
  });
}

const isSamePlace = (one: Place, other: Place) =>
  one.pillar === other.pillar && one.parentId === other.parentId;

function movedMeanwhile(): ServiceError {
  const then = 'La page montre maintenant sa place.';
  return changedMeanwhile('Cette mémoire a été rangée ailleurs', { then });
}

async function depthUnder(
  ctx: Context<AccountActor>,
  tx: Transaction,
  locked: readonly [LockedMemory, ...LockedMemory[]],
  { parentId, pillar }: { parentId: string | null; pillar: PillarRole },
): Promise<number> {
  if (parentId === null) return 0;
  if (parentId === locked[0].id) refuse('Une mémoire ne peut pas être rangée sous elle-même.');
  if (locked.some(({ id }) => id === parentId))
    refuse('Une mémoire ne peut pas être rangée sous une de celles qu’elle contient.');
  const parent = await tx
    .selectFrom('Memory')
    .select(['spaceId', 'role', 'depth'])
    .where('id', '=', parentId)
    .where('accountId', '=', ctx.actor.accountId)
    .where('deletedAt', 'is', null)
    .where(isWithinReach(ctx.actor, 'spaceId'))
    .executeTakeFirst();
  if (!parent) refuse('La mémoire choisie comme parente n’existe plus.');
  const height = Math.max(...locked.map(({ depth }) => depth)) - locked[0].depth;
  const refusal = refusalOfParent(parent, { spaceId: locked[0].spaceId, pillar, height });
  if (refusal !== null) refuse(refusal);
  return parent.depth + 1;
}
