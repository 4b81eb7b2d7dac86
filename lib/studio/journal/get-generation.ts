import type { AccountActor } from '#lib/core/actor.ts';
import { faultFields } from '#lib/core/faults.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { StudioContext } from '../context.ts';
import { findGeneration } from '../generation/find-generation.ts';
import type { Generation } from '../generation/generation.ts';
import { isProviderJob } from '../generation/states.ts';
import { advanceGeneration } from '../lifecycle/advance-generation.ts';
import { READ_EVERY_MS } from '../limits.ts';
import { type GenerationView, viewGeneration } from './view.ts';

/**
 * One row of the account's journal. For a running video from 15 s after its start, also asks the provider (once, whatever the
 * number of readers) and closes the row if the job ended. A provider that fails to answer changes nothing. `not_found` else.
 */
export async function getGeneration(
  ctx: StudioContext<AccountActor>,
  input: { generationId: string },
): Promise<GenerationView> {
  const row = await findGeneration(ctx, input.generationId);
  const seen = (await claimRead(ctx, row)) ? await askProvider(ctx, row) : row;
  return viewGeneration(seen, ctx.clock.now());
}

const claim = prepared('studio.claim_read', (db, p: Params<{ id: string; now: Date; until: Date }>) =>
  db
    .updateTable('Generation')
    .set({ readableAt: p.until })
    .where('id', '=', p.id)
    .where('state', '=', 'SUBMITTED')
    .where('readableAt', '<=', p.now)
    .returning('id'),
);

/** Of several readers at the same moment, one gets to ask the provider. */
async function claimRead(ctx: StudioContext, row: Generation): Promise<boolean> {
  const now = ctx.clock.now();
  if (row.state !== 'SUBMITTED' || !isProviderJob(row.kind) || row.chargePending) return false;
  if (!row.providerOperation || !row.readableAt || now < row.readableAt) return false;
  const until = new Date(now.getTime() + READ_EVERY_MS);
  return (await claim.first(ctx.kysely, { id: row.id, now, until })) !== undefined;
}

/** The row as it stands once the provider was asked; unchanged when our own reading of it failed. */
async function askProvider(ctx: StudioContext, row: Generation): Promise<Generation> {
  try {
    return (await advanceGeneration(ctx, row, { type: 'visit' }, 'read')).row;
  } catch (error) {
    ctx.log.error('generation.read_failed', {
      generationId: row.id,
      ...faultFields(error),
    });
    return row;
  }
}
