import { type QueryCreator, sql } from 'kysely';
import type { Params } from '#lib/db/prepared.ts';
import type { DB } from '#lib/db/types.ts';
import type { SketchParams } from '../likeness/statements.ts';
import type { ChangedTable } from './revise.ts';

/** Adds the CTE that keeps the sketch of the one Memory of `changed`. */
export function keepSketch<D extends ChangedTable>(
  db: QueryCreator<D>,
  p: Params<SketchParams>,
): QueryCreator<D> {
  return (db as unknown as QueryCreator<DB & ChangedTable>).with('sketched', (one) =>
    one
      .insertInto('MemorySketch')
      .columns(['memoryId', 'accountId', 'pairs', 'bands'])
      .expression((eb) =>
        eb
          .selectFrom('changed')
          .select([
            'changed.id',
            'changed.accountId',
            sql<number>`${p.sketchPairs}::int`.as('pairs'),
            sql<number[]>`${p.sketchBands}::int[]`.as('bands'),
          ]),
      )
      .onConflict((conflict) =>
        conflict.column('memoryId').doUpdateSet((eb) => ({
          pairs: eb.ref('excluded.pairs'),
          bands: eb.ref('excluded.bands'),
        })),
      ),
  ) as unknown as QueryCreator<D>;
}
