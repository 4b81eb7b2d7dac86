import type { Micros } from '#lib/core/money.ts';
import { isOpenState } from '#lib/db/open-states.ts';
import type { StudioContext } from '../context.ts';
import type { Generation } from '../generation/generation.ts';
import { advanceRead } from './advance-read.ts';

/** A row that is still open though the ledger has its debit. */
type HalfClosed = { row: Generation; debitMicros: Micros | null };

/**
 * Completes an open row whose debit is written and whose closing was lost, at the ledger's amount and with its files, so that a reader gets
 * what the member was debited for. Any other row is returned unchanged.
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
