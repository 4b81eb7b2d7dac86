import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { undoDelete } from '../memories/undo-delete.ts';
import { canWriteIn, requireBrainWrite } from '../require-brain-write.ts';
import { listBin } from './list-bin.ts';

/**
 * Restores what `listBin` shows, the latest deletion first, each whole or not at all, so that nested Memories find their parent. Stops when
 * the capacity is full; skips archived Spaces and those that the actor may only read. Errors: `forbidden`.
 */
export async function restoreAll(
  ctx: Context<AccountActor>,
): Promise<{ restored: number; left: number; capacityFull: boolean }> {
  requireBrainWrite(ctx);
  let restored = 0;
  let capacityFull = false;
  const { deletions } = await listBin(ctx);
  for (const { deletionId, spaceId, archived } of deletions) {
    if (archived || !canWriteIn(ctx.actor, spaceId)) continue;
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
  return { restored, left: (await listBin(ctx)).total, capacityFull };
}
