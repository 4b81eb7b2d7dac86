import { type Kysely, sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import type { DB } from '#lib/db/generated/tables.ts';
import type { StudioContext } from '../context.ts';
import { GENERATION_COLUMNS, readGeneration } from '../generation/generation.ts';
import { completeDebited } from './complete-debited.ts';
import {
  accountOf,
  debitOfOpen,
  FILTERS,
  flat,
  type Given,
  labelOf,
  likePattern,
  type Shape,
  shapeOf,
  sourcesOf,
  statementOf,
} from './journal-statements.ts';
import { type JournalFilters, valuesOf } from './list-generations.ts';
import type { GenerationView } from './view.ts';
import { viewRow } from './view-rows.ts';

/** What comes right before a row of the journal, and right after: newer first, as the list is. */
type Neighbours = { newer: GenerationView | null; older: GenerationView | null };

/**
 * The two rows beside a place of the journal, as these filters leave it, in one question (two by `review`). The place need not answer the
 * filters: what was just judged left the queue, and the next one is still found. A row whose debit is written and whose closing was lost is
 * completed.
 */
export async function listNeighbours(
  ctx: StudioContext<AccountActor>,
  input: { place: { createdAt: Date; id: string }; filters: JournalFilters },
): Promise<Neighbours> {
  const values = await valuesOf(ctx, input.filters);
  const shape = shapeOf(values, input.filters.status);
  const tail = values.pattern === undefined ? 'plain' : 'words';
  const rows = await statementOf(labelOf('beside', shape, tail), shape, (db, p) =>
    neighboursQuery(db, p as Given, shape, tail === 'words'),
  ).all(ctx.kysely, flat({ ...values, cursor: { at: input.place.createdAt, id: input.place.id } }));
  const view = async (wanted: boolean) => {
    const found = rows.find(({ isNewer }) => isNewer === wanted);
    if (!found) return null;
    const { debitMicros, isNewer: _, ...row } = found;
    return viewRow(ctx, await completeDebited(ctx, { row: readGeneration(row), debitMicros }));
  };
  const [newer, older] = await Promise.all([view(true), view(false)]);
  return { newer, older };
}

function neighboursQuery(db: Kysely<DB>, p: Given, shape: Shape, byWords: boolean) {
  const conditions = [
    accountOf(shape),
    ...(byWords ? [likePattern] : []),
    ...shape.filters.map((name) => FILTERS[name]),
  ];
  const side = (isNewer: boolean) => {
    const order = isNewer ? 'asc' : 'desc';
    // Each status has its branches, each with its index: the first row of each is enough to know the first of all.
    const branches = sourcesOf(shape).map((source) =>
      db
        .selectFrom(
          db
            .selectFrom('Generation as g')
            .select(GENERATION_COLUMNS)
            .where((eb) => eb.and([...conditions, source].map((condition) => condition(eb as never, p))))
            .where((eb) =>
              eb(eb.refTuple('g.createdAt', 'g.id'), isNewer ? '>' : '<', eb.tuple(p.cursorAt, p.cursorId)),
            )
            .orderBy('g.createdAt', order)
            .orderBy('g.id', order)
            .limit(1)
            .as('branch'),
        )
        .select(GENERATION_COLUMNS),
    );
    const [first, ...others] = branches;
    if (!first) throw new Error('a status has no source');
    return db
      .selectFrom(others.reduce((all, branch) => all.unionAll(branch), first).as('side'))
      .select(GENERATION_COLUMNS)
      .select(sql.lit(isNewer).as('isNewer'))
      .select((eb) => debitOfOpen(eb as never, 'side').as('debitMicros'))
      .orderBy('createdAt', order)
      .orderBy('id', order)
      .limit(1);
  };
  const both = ['isNewer', 'debitMicros', ...GENERATION_COLUMNS] as const;
  return db
    .selectFrom(side(true).as('newer'))
    .select(both)
    .unionAll(db.selectFrom(side(false).as('older')).select(both));
}
