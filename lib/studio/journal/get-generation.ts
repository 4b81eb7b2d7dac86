import type { AccountActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { faultFields } from '#lib/core/faults.ts';
import type { StudioContext } from '../context.ts';
import { type Generation, generationColumns, readGeneration } from '../generation/generation.ts';
import { isProviderJob } from '../generation/states.ts';
import { settleJob } from '../lifecycle/settle-job.ts';
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
  const row = await findRow(ctx, input.generationId);
  const seen = (await claimRead(ctx, row)) ? await lookAt(ctx, row) : row;
  return viewGeneration(seen, ctx.clock.now());
}

/** A row of the account, or `not_found`. */
export async function findRow(ctx: StudioContext<AccountActor>, generationId: string): Promise<Generation> {
  const [raw] = await ctx.sql.rows<Record<string, unknown>>(
    'studio.own_row',
    `SELECT ${generationColumns('g')} FROM "Generation" g WHERE g."id" = $1 AND g."accountId" = $2`,
    [generationId, ctx.actor.accountId],
  );
  if (!raw) throw new ServiceError('not_found');
  return readGeneration(raw);
}

/** Of several readers at the same moment, one gets to ask the provider. */
async function claimRead(ctx: StudioContext, row: Generation): Promise<boolean> {
  const now = ctx.clock.now();
  if (row.state !== 'SUBMITTED' || !isProviderJob(row.kind) || row.chargePending) return false;
  if (!row.providerOperation || !row.readableAt || now < row.readableAt) return false;
  const claimed = await ctx.sql.rows(
    'studio.claim_read',
    `UPDATE "Generation" SET "readableAt" = $2 WHERE "id" = $1 AND "state" = 'SUBMITTED' AND "readableAt" <= $3 RETURNING "id"`,
    [row.id, new Date(now.getTime() + READ_EVERY_MS), now],
  );
  return claimed.length > 0;
}

async function lookAt(ctx: StudioContext, row: Generation): Promise<Generation> {
  try {
    return (await settleJob(ctx, row, 'pull')).row;
  } catch (error) {
    ctx.log.error('generation.read_failed', {
      generationId: row.id,
      ...faultFields(error),
    });
    return row;
  }
}
