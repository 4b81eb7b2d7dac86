import type { AccountActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { isOpenState } from '#lib/db/open-states.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { StudioContext } from '../context.ts';
import { type Generation, generationColumns, readGeneration } from '../generation/generation.ts';
import { isProviderJob } from '../generation/states.ts';
import { isBeingRead } from '../jobs/read-status.ts';
import { READ_EVERY_MS } from '../limits.ts';
import { advanceRead } from './advance-read.ts';
import { completeDebited } from './complete-debited.ts';
import type { GenerationView } from './view.ts';
import { viewRow } from './view-rows.ts';

/**
 * One row of the account's journal. A running row whose debit the ledger has is completed. For a running video from 15 s after its
 * start, also asks the provider (once, whatever the number of readers) and closes the row if the job ended. A provider that fails
 * to answer changes nothing. `not_found` else.
 */
export async function getGeneration(
  ctx: StudioContext<AccountActor>,
  input: { generationId: string },
): Promise<GenerationView> {
  return viewRow(ctx, await readAdvanced(ctx, input.generationId));
}

const findRow = prepared('studio.read_row', (db, p: Params<{ id: string; accountId: string }>) =>
  db
    .selectFrom('Generation')
    .leftJoin('LedgerLine as debit', (join) =>
      join.onRef('debit.generationId', '=', 'Generation.id').on('debit.kind', '=', 'SETTLE'),
    )
    .select(generationColumns('Generation'))
    .select('debit.amountMicros as debitMicros')
    .where('Generation.id', '=', p.id)
    .where('Generation.accountId', '=', p.accountId),
);

/** Advances a row as a read of it does, and returns the row itself: `getGeneration` before its view is made. */
export async function readAdvanced(
  ctx: StudioContext<AccountActor>,
  generationId: string,
): Promise<Generation> {
  const found = await findRow.first(ctx.kysely, { id: generationId, accountId: ctx.actor.accountId });
  if (!found) throw new ServiceError('not_found');
  const { debitMicros, ...columns } = found;
  const row = readGeneration(columns);
  if (isOpenState(row.state) && debitMicros !== null) return completeDebited(ctx, { row, debitMicros });
  return (await claimRead(ctx, row)) ? advanceRead(ctx, row, { type: 'visit' }) : row;
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
  // The answer may hold the whole video: while one reader waits for it, the others only read the row.
  if (isBeingRead(ctx, row)) return false;
  const until = new Date(now.getTime() + READ_EVERY_MS);
  return (await claim.first(ctx.kysely, { id: row.id, now, until })) !== undefined;
}
