import { faultFields } from '#lib/core/faults.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import { advanceGeneration } from '../lifecycle/advance-generation.ts';
import type { Event } from '../lifecycle/decide.ts';

/** Advances a row with an event that a reader brought, and returns it as it then stands; as it was when a fault of ours is logged. */
export async function advanceRead(ctx: StudioContext, row: Generation, event: Event): Promise<Generation> {
  try {
    return (await advanceGeneration(ctx, row, event, 'read')).row;
  } catch (error) {
    ctx.log.error('generation.read_failed', {
      generationId: row.id,
      ...faultFields(error),
    });
    return row;
  }
}
