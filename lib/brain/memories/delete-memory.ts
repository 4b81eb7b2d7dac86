import { type AccountActor, actorLabel } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { transaction } from '#lib/db/transaction.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { requireOpenAccount } from '../account-closed.ts';
import { spaceNotFound } from '../not-found.ts';
import { requireBrainWrite } from '../require-brain-write.ts';
import { lockSubtree } from './lock-subtree.ts';
import { type ReviseParams, revise } from './revise.ts';

type DeleteParams = ReviseParams & {
  ids: string[];
  deletionId: string;
  accountId: string;
  spaceId: string;
  cu: number;
  count: number;
};

// Locks in the order of every writer: Memory, Space, Account.
const deleteMemories = prepared('delete-memories', (db, p: Params<DeleteParams>) =>
  revise(
    db.with('changed', (one) =>
      one
        .updateTable('Memory')
        .set((eb) => ({ deletedAt: p.now, deletionId: p.deletionId, version: eb('version', '+', eb.lit(1)) }))
        .where(isAnyOf('id', p.ids))
        .returningAll(),
    ),
    p,
  )
    .with('counted', (one) =>
      one
        .updateTable('Space')
        .set((eb) => ({
          cu: eb('cu', '-', p.cu),
          memories: eb('memories', '-', p.count),
          version: eb('version', '+', eb.lit(1)),
          updatedAt: p.now,
        }))
        .where('id', '=', p.spaceId)
        .where('archivedAt', 'is', null)
        .returning('id'),
    )
    .updateTable('Account')
    .set((eb) => ({ usedCu: eb('usedCu', '-', p.cu), updatedAt: p.now }))
    .where('id', '=', p.accountId)
    .where('closedAt', 'is', null)
    .where((eb) => eb.exists(eb.selectFrom('counted').select('id')))
    .returning('id'),
);

/**
 * Deletes a Memory and all that is nested in it: out of the API, of search and of the context, their CU freed. Their history stays.
 * `deletionId` is what `undoDelete` takes. Errors: `forbidden`, `not_found`, that of a closed account.
 */
export async function deleteMemory(
  ctx: Context<AccountActor>,
  input: { memoryId: string },
): Promise<{ deletionId: string; deleted: number; title: string; cu: number }> {
  requireBrainWrite(ctx);
  return transaction(ctx, async (tx) => {
    const { accountId } = ctx.actor;
    const locked = await lockSubtree(tx, ctx, input.memoryId);
    const [root] = locked;
    const now = ctx.clock.now();
    const deletionId = createId('deletion', now);
    const cu = locked.reduce((sum, memory) => sum + memory.cu, 0);
    const ids = locked.map(({ id }) => id);
    const done = await deleteMemories.first(tx, {
      ids,
      revisedIds: ids,
      revisionIds: ids.map(() => createId('revision', now)),
      change: 'DELETED',
      actor: actorLabel(ctx.actor),
      now,
      deletionId,
      accountId,
      spaceId: root.spaceId,
      cu,
      count: ids.length,
    });
    if (!done) {
      await requireOpenAccount(tx, ctx.actor, accountId);
      throw spaceNotFound();
    }
    await recordAudits(tx, ctx, [
      {
        action: 'memory.deleted',
        accountId,
        subject: { type: 'memory', id: root.id },
        data: { spaceId: root.spaceId, deletionId, memories: ids.length, cu },
      },
    ]);
    return { deletionId, deleted: ids.length, title: root.title, cu };
  });
}
