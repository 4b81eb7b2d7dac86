import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { undoDelete } from '../memories/undo-delete.ts';
import { canWriteIn, requireBrainWrite } from '../require-brain-write.ts';
import { listBin } from './list-bin.ts';

/**
 * Brings back what `listBin` shows, the latest deletion first, each whole or not at all: what was nested in something deleted before it finds it again. Stops where the
 * capacity is full; what belongs to an archived Space, or to one that is given to read, stays. Errors: `forbidden`.
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
      // Brought back by somebody else meanwhile, or its Space was archived: it is no longer for us.
      if (error.code === 'not_found') continue;
      if (error.code !== 'capacity_full') throw error;
      capacityFull = true;
      break;
    }
  }
  return { restored, left: (await listBin(ctx)).total, capacityFull };
}
