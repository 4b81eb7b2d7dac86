import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { timeLimit } from '#lib/core/resource-limits/time-limit.ts';
import { undoDelete } from '../memories/undo-delete.ts';
import { canWriteIn, requireBrainWrite } from '../require-brain-write.ts';
import { listBin } from './list-bin.ts';

/** After this no deletion is begun: who asked still reads what came back. */
const RESTORE_MS = 25_000;

/**
 * Restores all that is in the bin, the latest deletion first, each whole or not at all, so that nested Memories find their parent. Stops when
 * the capacity is full, and after 25 seconds; skips archived Spaces and those that the actor may only read. `left`: the deletions that stay.
 * Errors: `forbidden`.
 */
export async function restoreAll(
  ctx: Context<AccountActor>,
): Promise<{ restored: number; left: number; capacityFull: boolean }> {
  requireBrainWrite(ctx);
  const limit = timeLimit(ctx, RESTORE_MS);
  const tried = new Set<string>();
  let restored = 0;
  let capacityFull = false;
  for (;;) {
    // What came back has left the list: its first page is the next to restore, as those that can come back are first.
    const { deletions, total } = await listBin(ctx);
    const wanted = deletions.filter(
      ({ deletionId, spaceId, archived }) =>
        !archived && canWriteIn(ctx.actor, spaceId) && !tried.has(deletionId),
    );
    if (wanted.length === 0 || capacityFull || limit.isOver()) return { restored, left: total, capacityFull };
    for (const { deletionId } of wanted) {
      if (limit.isOver()) break;
      tried.add(deletionId);
      try {
        restored += (await undoDelete(ctx, { deletionId })).restored;
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        // Already restored by somebody else, or its Space was archived: skipped.
        if (error.code === 'not_found') continue;
        if (error.code !== 'capacity_full') throw error;
        capacityFull = true;
        break;
      }
    }
  }
}
