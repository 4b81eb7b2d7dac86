import { faultFields } from '#lib/core/faults.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import { advanceGeneration } from '../lifecycle/advance-generation.ts';
import type { Event } from '../lifecycle/decide.ts';

/** Advances a row with an event found by a reader, and returns its new state; unchanged when one of our own faults was logged. */
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
