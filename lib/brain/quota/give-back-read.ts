import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { faultFields } from '#lib/core/faults.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { ReadPeriod } from './consume-read.ts';
import { readPeriodOf } from './read-quota.ts';

// The month before the day, as `consumeRead` locks them.
const giveBack = prepared('quota.give-back', (db, p: Params<ReadPeriod & { accountId: string }>) =>
  db
    .with('returned', (one) =>
      one
        .updateTable('ReadMonth')
        .set((eb) => ({ used: eb('used', '-', eb.lit(1)) }))
        .where('accountId', '=', p.accountId)
        .where('month', '=', p.month)
        .where((eb) => eb('used', '>', eb.lit(0)))
        .returning('accountId'),
    )
    .updateTable('ReadDay')
    .set((eb) => ({ used: eb('used', '-', eb.lit(1)) }))
    .where('accountId', '=', p.accountId)
    .where('day', '=', sql<Date>`${p.day}::date`)
    .where((eb) => eb('used', '>', eb.lit(0)))
    .where((eb) => eb.exists(eb.selectFrom('returned').select('returned.accountId')))
    .returning('accountId'),
);

/**
 * Runs the work that a read, consumed at `readAt`, pays for. If it fails, the read is returned to its month: only a success is charged
 * (B-164). Throws what the work threw; a read that cannot be returned is logged.
 */
export async function giveBackReadOnFailure<R>(
  ctx: Context<AccountActor>,
  readAt: Date,
  work: () => Promise<R>,
): Promise<R> {
  const { accountId } = ctx.actor;
  try {
    return await work();
  } catch (error) {
    await giveBack.run(ctx.kysely, { ...readPeriodOf(readAt), accountId }).catch((fault: unknown) => {
      ctx.log.warn('quota.give_back_failed', { accountId, ...faultFields(fault) });
    });
    throw error;
  }
}
