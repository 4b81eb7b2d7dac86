import { type AccountActor, actorLabel } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import { erasedBefore } from '#lib/core/bin-time.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { isWithinReach } from '#lib/db/space-rights.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import { isUniqueViolation } from '#lib/db/unique-violation.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { requireOpenAccount } from '../account-closed.ts';
import { capacityFull } from '../capacity-full.ts';
import { memoryNotFound } from '../not-found.ts';
import { requireBrainWrite } from '../require-brain-write.ts';
import type { PillarRole } from '../templates.ts';
import { lockTree } from './lock-subtree.ts';
import { refusalOfParent } from './refusal-of-parent.ts';
import { type ReviseParams, revise } from './revise.ts';

type Deleted = { spaceId: string; role: PillarRole; parentId: string | null };

type RestoreParams = ReviseParams & {
  ids: string[];
  rootId: string;
  /** The parent under which the root is restored. */
  parentId: string | null;
  deeper: number;
  accountId: string;
  spaceId: string;
  cu: number;
  count: number;
};

// An import key that was meanwhile given to a live Memory stays with that one.
const restoreMemories = prepared('restore-memories', (db, p: Params<RestoreParams>) =>
  revise(
    db.with('changed', (one) =>
      one
        .updateTable('Memory as m')
        .set((eb) => ({
          deletedAt: null,
          deletionId: null,
          version: eb('m.version', '+', eb.lit(1)),
          depth: eb('m.depth', '+', p.deeper),
          parentId: eb.case().when('m.id', '=', p.rootId).then(p.parentId).else(eb.ref('m.parentId')).end(),
          importKey: eb
            .case()
            .when(
              eb.exists(
                eb
                  .selectFrom('Memory as live')
                  .select('live.id')
                  .whereRef('live.spaceId', '=', 'm.spaceId')
                  .whereRef('live.importKey', '=', 'm.importKey')
                  .where('live.deletedAt', 'is', null),
              ),
            )
            .then(null)
            .else(eb.ref('m.importKey'))
            .end(),
        }))
        .where(isAnyOf('m.id', p.ids))
        .returningAll('m'),
    ),
    p,
  )
    .with('counted', (one) =>
      one
        .updateTable('Space')
        .set((eb) => ({
          cu: eb('cu', '+', p.cu),
          memories: eb('memories', '+', p.count),
          version: eb('version', '+', eb.lit(1)),
          updatedAt: p.now,
        }))
        .where('id', '=', p.spaceId)
        .where('accountId', '=', p.accountId)
        .where('archivedAt', 'is', null)
        .returning('id'),
    )
    .updateTable('Account')
    .set((eb) => ({ usedCu: eb('usedCu', '+', p.cu), updatedAt: p.now }))
    .where('id', '=', p.accountId)
    .where('closedAt', 'is', null)
    .where((eb) => eb.exists(eb.selectFrom('counted').select('id')))
    .returning(['usedCu', 'capacityCu']),
);

/**
 * Brings back, together, what one deletion took away. Where its parent is gone, or no longer leaves room for it, it comes back at the
 * root of its pillar. Errors, nothing changed: `forbidden`, `not_found` (already undone, past its 30 days, partly erased, or the Space is
 * archived), `capacity_full`, that of a closed account.
 */
export async function undoDelete(
  ctx: Context<AccountActor>,
  input: { deletionId: string },
): Promise<{ memoryId: string; restored: number; atRoot: boolean }> {
  requireBrainWrite(ctx);
  try {
    return await undo(ctx, input);
  } catch (error) {
    // An import took the key of one of them at this very moment: the second attempt leaves the key to the import.
    if (!isUniqueViolation(error)) throw error;
    return undo(ctx, input);
  }
}

async function undo(ctx: Context<AccountActor>, input: { deletionId: string }) {
  const { accountId } = ctx.actor;
  return transaction(ctx, async (tx) => {
    const deleted = () =>
      tx
        .selectFrom('Memory')
        .where('deletionId', '=', input.deletionId)
        .where('accountId', '=', accountId)
        .where('deletedAt', '>=', erasedBefore(ctx.clock.now()))
        .where(isWithinReach(ctx.actor, 'spaceId'));
    const found = await deleted().select('spaceId').limit(1).executeTakeFirst();
    if (!found) throw memoryNotFound();
    requireBrainWrite(ctx, found.spaceId);
    await lockTree(tx, found.spaceId);
    const rows = await deleted()
      .select(['id', 'spaceId', 'role', 'parentId', 'depth', 'cu'])
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
    const ids = new Set(rows.map(({ id }) => id));
    const [root, another] = rows.filter(({ parentId }) => parentId === null || !ids.has(parentId));
    // A deletion has one root: with two, the nightly job has begun to erase it.
    if (!root || another) throw memoryNotFound();
    const height = Math.max(...rows.map(({ depth }) => depth)) - root.depth;
    const place = await placeFor(tx, accountId, root, height);
    const now = ctx.clock.now();
    const cu = rows.reduce((sum, memory) => sum + memory.cu, 0);
    const account = await restoreMemories.first(tx, {
      ids: [...ids],
      rootId: root.id,
      parentId: place.parentId,
      deeper: place.depth - root.depth,
      accountId,
      spaceId: root.spaceId,
      cu,
      count: rows.length,
      revisedIds: [...ids],
      revisionIds: rows.map(() => createId('revision', now)),
      change: 'RESTORED',
      actor: actorLabel(ctx.actor),
      now,
    });
    if (!account) {
      await requireOpenAccount(tx, ctx.actor, accountId);
      throw memoryNotFound();
    }
    // Checked once the account is locked, and undone with the transaction.
    if (account.usedCu > account.capacityCu) throw capacityFull(account.capacityCu);
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
  tx: Transaction,
  accountId: string,
  root: Deleted,
  height: number,
): Promise<{ parentId: string | null; depth: number }> {
  if (root.parentId !== null) {
    const parent = await tx
      .selectFrom('Memory')
      .select(['spaceId', 'role', 'depth'])
      .where('id', '=', root.parentId)
      .where('accountId', '=', accountId)
      .where('deletedAt', 'is', null)
      .executeTakeFirst();
    const place = { spaceId: root.spaceId, pillar: root.role, height };
    if (parent && refusalOfParent(parent, place) === null)
      return { parentId: root.parentId, depth: parent.depth + 1 };
  }
  return { parentId: null, depth: 0 };
}
