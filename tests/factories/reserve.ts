import type { Context } from '#lib/core/context.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { Executor } from '#lib/db/types.ts';
import type { ReserveRefusal } from '#lib/ledger/judge-reserve.ts';
import { explainRefusal, type ReserveValues, reserveValues, withReserve } from '#lib/ledger/reserve.ts';

const holdAmount = prepared('test.reserve', (db, p: Params<ReserveValues>) =>
  withReserve(db, p).selectFrom('reserve_line').select('id'),
);

/**
 * Holds an amount for a generation whose row exists already: the head of the statement that writes both (`create-generation.ts`), alone.
 * Returns the refusal. A second reserve for the same generation throws (unique index).
 */
export async function reserve(
  on: Executor,
  ctx: Pick<Context, 'actor' | 'clock'>,
  input: Parameters<typeof reserveValues>[1],
): Promise<{ held: true } | { held: false; refusal: ReserveRefusal }> {
  const line = await holdAmount.first(on, reserveValues(ctx, input));
  return line ? { held: true } : { held: false, refusal: await explainRefusal(on, ctx, input) };
}
