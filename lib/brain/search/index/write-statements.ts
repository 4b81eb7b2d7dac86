import { sql } from 'kysely';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { isAnyOf } from '#lib/db/values.ts';

/** Tries to take the lock on writing an account's segments, until the transaction ends; false, without waiting, when another transaction has it. */
export const tryHoldIndex = prepared('search.hold', (db, p: Params<{ accountId: string }>) =>
  db.selectNoFrom(
    sql<boolean>`pg_try_advisory_xact_lock(hashtextextended('search ' || ${p.accountId}, 0))`.as('held'),
  ),
);

/** Memories in no segment, the oldest change first. */
export const readFresh = prepared('search.fresh', (db, p: Params<{ accountId: string; limit: number }>) =>
  db
    .selectFrom('SearchDocument')
    .select(['memoryId', 'bytes'])
    .where('accountId', '=', p.accountId)
    .where('segmentId', 'is', null)
    .orderBy('stamp')
    .limit(sql<number>`${p.limit}::int`),
);

/** Segments of an account, with how many of their Memories are gone. */
export const readSegments = prepared('search.segments', (db, p: Params<{ accountId: string }>) =>
  db
    .selectFrom('SearchSegment as g')
    .select((eb) => [
      'g.id',
      'g.memories',
      'g.bytes',
      eb
        .selectFrom('SearchDead as d')
        .select(sql<number>`count(*)::int`.as('dead'))
        .whereRef('d.accountId', '=', 'g.accountId')
        .whereRef('d.segmentId', '=', 'g.id')
        .as('dead'),
    ])
    .where('g.accountId', '=', p.accountId)
    .orderBy('g.id'),
);

/** The Memories that are still what these segments say. */
export const readMembers = prepared(
  'search.members',
  (db, p: Params<{ accountId: string; segments: number[] }>) =>
    db
      .selectFrom('SearchDocument')
      .select('memoryId')
      .where('accountId', '=', p.accountId)
      .where(isAnyOf('segmentId', p.segments, 'int'))
      .orderBy('memoryId'),
);

/** Writes the row of a segment. */
export const insertSegment = prepared(
  'search.insert-segment',
  (
    db,
    p: Params<{
      accountId: string;
      memories: number;
      bytes: number;
      header: Buffer;
      dictionary: Buffer;
      createdAt: Date;
    }>,
  ) =>
    db
      .insertInto('SearchSegment')
      .values({
        accountId: p.accountId,
        memories: p.memories,
        bytes: p.bytes,
        header: p.header,
        dictionary: p.dictionary,
        createdAt: p.createdAt,
      })
      .returning('id'),
);

/** Writes consecutive pages of a segment. */
export const insertPages = prepared(
  'search.insert-pages',
  (db, p: Params<{ segmentId: number; first: number; pages: Buffer[] }>) =>
    db
      .insertInto('SearchPage')
      .columns(['segmentId', 'page', 'data'])
      .expression((eb) =>
        eb
          .selectFrom(
            sql<{ data: Buffer; nth: number }>`unnest(${p.pages}::bytea[]) with ordinality`.as<'given'>(
              sql`given (data, nth)`,
            ),
          )
          .select([
            sql<number>`${p.segmentId}::int`.as('segmentId'),
            sql<number>`${p.first}::int + given.nth::int - 1`.as('page'),
            'given.data',
          ]),
      ),
);

/**
 * Gives each Memory its place in a new segment if it still is what was read: the same stamp. Those that another transaction is changing are
 * left alone. Returns the numbers that were given.
 */
export const placeMemories = prepared(
  'search.place',
  (db, p: Params<{ segmentId: number; ids: string[]; stamps: string[]; numbers: number[] }>) =>
    db
      .with(
        (name) => name('held').materialized(),
        (one) =>
          one
            .selectFrom('SearchDocument as d')
            .select(['d.memoryId', 'd.stamp'])
            .where(isAnyOf('d.memoryId', p.ids))
            .orderBy('d.memoryId')
            .forUpdate()
            .skipLocked(),
      )
      .with(
        (name) => name('given').materialized(),
        (one) =>
          one
            .selectFrom(
              sql<{
                id: string;
                stamp: string;
                number: number;
              }>`unnest(${p.ids}::text[], ${p.stamps}::bigint[], ${p.numbers}::int[])`.as<'u'>(
                sql`u (id, stamp, number)`,
              ),
            )
            .innerJoin('held', (join) =>
              join.onRef('held.memoryId', '=', 'u.id').on(sql<boolean>`held.stamp = u.stamp`),
            )
            .select(['u.id', 'u.number']),
      )
      .updateTable('SearchDocument as d')
      .from('given')
      .set((eb) => ({ segmentId: sql<number>`${p.segmentId}::int`, number: eb.ref('given.number') }))
      .whereRef('d.memoryId', '=', 'given.id')
      .returning('d.number'),
);

/** Marks these numbers of a segment as deleted Memories. */
export const insertDead = prepared(
  'search.insert-dead',
  (db, p: Params<{ accountId: string; segmentId: number; numbers: number[] }>) =>
    db
      .insertInto('SearchDead')
      .columns(['accountId', 'segmentId', 'number'])
      .expression((eb) =>
        eb
          .selectFrom(sql<{ number: number }>`unnest(${p.numbers}::int[])`.as<'given'>(sql`given (number)`))
          .select([
            sql<string>`${p.accountId}::text`.as('accountId'),
            sql<number>`${p.segmentId}::int`.as('segmentId'),
            'given.number',
          ]),
      ),
);

/** Deletes segments with their pages and their marks of deleted Memories; marks left without a segment go too. */
export const deleteSegments = prepared(
  'search.delete-segments',
  (db, p: Params<{ accountId: string; segments: number[] }>) =>
    db
      .with('gone', (one) =>
        one
          .deleteFrom('SearchSegment')
          .where('accountId', '=', p.accountId)
          .where(isAnyOf('id', p.segments, 'int')),
      )
      .deleteFrom('SearchDead as d')
      .where('d.accountId', '=', p.accountId)
      .where((eb) =>
        eb.or([
          isAnyOf('d.segmentId', p.segments, 'int'),
          eb.not(
            eb.exists(
              eb.selectFrom('SearchSegment as g').select('g.id').whereRef('g.id', '=', 'd.segmentId'),
            ),
          ),
        ]),
      ),
);

/** Accounts of which a segment holds Memories that are gone, or `enough` wait for one. */
export const readUntidy = prepared('search.untidy', (db, p: Params<{ enough: number }>) =>
  db
    // From each account to the next by the index, and what waits by its own: neither reads what every account has in its segments.
    .withRecursive('marked(accountId)', (q) =>
      q
        .selectFrom('SearchDead as first')
        .select((eb) => eb.fn.min<string | null>('first.accountId').as('accountId'))
        .unionAll((u) =>
          u
            .selectFrom('marked')
            .select((eb) =>
              eb
                .selectFrom('SearchDead as d')
                .select((later) => later.fn.min<string | null>('d.accountId').as('accountId'))
                .whereRef('d.accountId', '>', 'marked.accountId')
                .as('accountId'),
            )
            .where('marked.accountId', 'is not', null),
        ),
    )
    .selectFrom('marked')
    .select(sql<string>`${sql.ref('marked.accountId')}`.as('accountId'))
    .where('marked.accountId', 'is not', null)
    .union((eb) =>
      eb
        .selectFrom('SearchDocument')
        .select('accountId')
        .where('segmentId', 'is', null)
        .groupBy('accountId')
        .having(sql<boolean>`count(*) >= ${p.enough}::int`),
    )
    .orderBy('accountId'),
);
