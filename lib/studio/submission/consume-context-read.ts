import { sql } from 'kysely';
import { consumeRead, type ReadPeriod, readLimit } from '#lib/brain/quota/consume-read.ts';
import { quotaExceeded, readPeriodOf } from '#lib/brain/quota/read-quota.ts';
import type { AccountActor } from '#lib/core/actor.ts';
import { type Params as Parameters, prepared } from '#lib/db/prepared.ts';
import type { Transaction } from '#lib/db/transaction.ts';
import type { StudioContext } from '../context.ts';

const consumeOneRead = prepared(
  'studio.consume_read',
  (db, p: Parameters<ReadPeriod & { accountId: string }>) =>
    consumeRead(
      db.with('reader', (one) =>
        one
          .selectFrom('Account as a')
          .select((eb) => ['a.id as accountId', readLimit(eb as never).as('readLimit')])
          .where('a.id', '=', p.accountId),
      ),
      p,
    )
      .selectFrom('reader')
      .leftJoin('consumed', 'consumed.accountId', 'reader.accountId')
      .select(['reader.readLimit', 'consumed.accountId as consumedBy']),
);

/** The read of the Brain that a prompt's context costs, within the transaction of its reserve. Throws `quota_exceeded` when none is left. */
export async function consumeContextRead(tx: Transaction, ctx: StudioContext<AccountActor>): Promise<void> {
  const now = ctx.clock.now();
  const { accountId } = ctx.actor;
  const read = await consumeOneRead.first(tx, { ...readPeriodOf(now), accountId });
  if (!read?.consumedBy) throw quotaExceeded(now, read?.readLimit ?? 0);
  // A read may be lost in a crash, the reserve of this transaction may not.
  await sql`set local synchronous_commit to default`.execute(tx);
}
