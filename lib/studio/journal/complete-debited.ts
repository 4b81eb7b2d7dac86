import type { Micros } from '#lib/core/money.ts';
import { isOpenState } from '#lib/db/open-states.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import { advanceRead } from './advance-read.ts';

/** A row that is still open though the ledger has its debit. */
type HalfClosed = { row: Generation; debitMicros: Micros | null };

/**
 * The row completed at the ledger's amount, with its files, when its debit is written and its closing was lost: whoever reads it, alone or
 * in a list, has what the member was debited for. Any other row as it is.
 */
export async function completeDebited(
  ctx: StudioContext,
  { row, debitMicros }: HalfClosed,
): Promise<Generation> {
  if (!isOpenState(row.state) || debitMicros === null) return row;
  return advanceRead(ctx, row, {
    type: 'reserve-closed',
    reserve: { kind: 'SETTLE', amountMicros: -debitMicros },
  });
}
