import { type ExpressionBuilder, type QueryCreator, type RawBuilder, sql } from 'kysely';
import type { Params } from '#lib/db/prepared.ts';
import type { DB } from '#lib/db/types.ts';
import { READS_PER_CU } from './read-quota.ts';

/** The account that reads, none or one: the CTE that `consumeRead` charges. */
type ReaderTable = { reader: { accountId: string; readLimit: number } };
type ConsumedTable = { consumed: { accountId: string } };
export type ReadPeriod = { month: string; day: string };

/** Reads a month of the account whose table goes by `a`. */
export function readLimit(eb: ExpressionBuilder<DB & { a: DB['Account'] }, 'a'>): RawBuilder<number> {
  return sql<number>`coalesce(${eb.ref('a.contractualReads')}, ${eb.ref('a.capacityCu')} * ${eb.lit(READS_PER_CU)})`;
}

/**
 * Adds CTEs that consume one read for each row (none or one) of the CTE `reader`, never past its limit: `consumed` has a row when
 * the read was granted. Reads are counters: they may lose the last instant in a crash of the server, so they do not wait for the disk.
 */
export function consumeRead<D extends ReaderTable>(
  db: QueryCreator<D>,
  p: Params<ReadPeriod>,
): QueryCreator<D & ConsumedTable> {
  return (db as unknown as QueryCreator<DB & ReaderTable>)
    .with('consumed', (one) =>
      one
        .insertInto('ReadMonth')
        .columns(['accountId', 'month', 'used'])
        .expression((eb) =>
          eb
            .selectFrom('reader')
            .select((on) => ['reader.accountId', p.month.as('month'), on.lit(1).as('used')])
            .where('readLimit', '>', eb.lit(0)),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['accountId', 'month'])
            .doUpdateSet((eb) => ({ used: eb('ReadMonth.used', '+', eb.lit(1)) }))
            .where('ReadMonth.used', '<', (eb) => eb.selectFrom('reader').select('readLimit')),
        )
        .returning(['accountId', sql`set_config('synchronous_commit', 'off', true)`.as('commit')]),
    )
    .with('daily', (one) =>
      one
        .insertInto('ReadDay')
        .columns(['accountId', 'day', 'used'])
        .expression((eb) =>
          eb
            .selectFrom('consumed')
            .select((on) => [
              'consumed.accountId',
              sql<Date>`${p.day}::date`.as('day'),
              on.lit(1).as('used'),
            ]),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['accountId', 'day'])
            .doUpdateSet((eb) => ({ used: eb('ReadDay.used', '+', eb.lit(1)) })),
        ),
    ) as unknown as QueryCreator<D & ConsumedTable>;
}
