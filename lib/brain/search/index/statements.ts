import { sql } from 'kysely';
import { accountStatement } from '#lib/db/account-read.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { isReached } from '#lib/db/space-rights.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { consumeRead, type ReadPeriod, readLimit } from '../../quota/consume-read.ts';
import type { SpaceTemplate } from '../../templates.ts';

/** More Memories than this in no segment are not read by a search: they are put in segments first. */
export const MAX_FRESH = 256;

/** What an account has to be searched in, at one instant. */
export type ScopeRow = {
  granted: boolean;
  /** Reads a month of the account; null where none was to be consumed. */
  readLimit: number | null;
  spaceExists: boolean;
  /** Live Spaces within reach: identifier, name, template, version. */
  spaces: [string, string, SpaceTemplate, number][];
  segments: number[];
  /** Segment and number of Memories that are no longer what the segment says. */
  dead: [number, number][];
  /** Identifier, stamp and bytes of the Memories in no segment; one more than MAX_FRESH when there are too many. */
  fresh: [string, string, number][];
};

type ScopeParams = ReadPeriod & { spaceId: string | null; consumes: boolean };

/** Consumes the read, unless it must not or the Space is not there, and says what is to be searched. Always one row. */
export const readScope = accountStatement({
  name: 'search-memories',
  with: (db, p: Params<ScopeParams>) =>
    consumeRead(
      db.with('reader', (one) =>
        one
          .selectFrom('Account as a')
          .innerJoin('caller', 'caller.accountId', 'a.id')
          .select((eb) => ['a.id as accountId', readLimit(eb).as('readLimit')])
          .where(sql<boolean>`${p.consumes}::boolean`)
          .where((eb) =>
            eb.or([
              eb(sql`${p.spaceId}::text`, 'is', null),
              eb.exists(
                eb
                  .selectFrom('Space as s')
                  .select('s.id')
                  .whereRef('s.accountId', '=', 'a.id')
                  .where('s.id', '=', p.spaceId)
                  .where('s.archivedAt', 'is', null)
                  .where((on) => isReached(on.ref('caller.spaces'), on.ref('s.id'))),
              ),
            ]),
          ),
      ),
      p,
    ),
  rows: (db, p) =>
    db.selectFrom('caller').select((eb) => {
      const account = eb.ref('caller.accountId');
      const reached = isReached(eb.ref('caller.spaces'), sql.ref('s.id'));
      return [
        sql<boolean>`not ${p.consumes}::boolean or exists (select 1 from consumed)`.as('granted'),
        sql<ScopeRow['readLimit']>`(select reader."readLimit" from reader)`.as('readLimit'),
        sql<boolean>`${p.spaceId}::text is null or exists (
          select 1 from "Space" s where s.id = ${p.spaceId} and s."accountId" = ${account} and s."archivedAt" is null and ${reached})`.as(
          'spaceExists',
        ),
        sql<
          ScopeRow['spaces']
        >`(select coalesce(json_agg(json_build_array(s.id, s.name, s.template, s.version)), '[]') from "Space" s
          where s."accountId" = ${account} and s."archivedAt" is null and ${reached})`.as('spaces'),
        sql<
          number[]
        >`array(select g.id from "SearchSegment" g where g."accountId" = ${account} order by g.id)`.as(
          'segments',
        ),
        sql<
          ScopeRow['dead']
        >`(select coalesce(json_agg(json_build_array(d."segmentId", d.number)), '[]') from "SearchDead" d
          where d."accountId" = ${account})`.as('dead'),
        sql<
          ScopeRow['fresh']
        >`(select coalesce(json_agg(json_build_array(f."memoryId", f.stamp::text, f.bytes)), '[]') from (
          select d."memoryId", d.stamp, d.bytes from "SearchDocument" d
          where d."accountId" = ${account} and d."segmentId" is null order by d.stamp limit ${eb.lit(MAX_FRESH + 1)}) f)`.as(
          'fresh',
        ),
      ];
    }),
});

/** Headers of segments. */
export const readHeaders = prepared('search.headers', (db, p: Params<{ ids: number[] }>) =>
  db
    .selectFrom('SearchSegment')
    .select(['id', 'header'])
    .where(isAnyOf('id', p.ids, 'int')),
);

/** Lists of terms of segments. */
export const readDictionaries = prepared('search.dictionaries', (db, p: Params<{ ids: number[] }>) =>
  db
    .selectFrom('SearchSegment')
    .select(['id', 'dictionary'])
    .where(isAnyOf('id', p.ids, 'int')),
);

/** Pages of segments: `segments[i]` and `pages[i]` name one. */
export const readPages = prepared('search.pages', (db, p: Params<{ segments: number[]; pages: number[] }>) =>
  db
    .selectFrom(
      sql<{ segment: number; page: number }>`unnest(${p.segments}::int[], ${p.pages}::int[])`.as<'wanted'>(
        sql`wanted (segment, page)`,
      ),
    )
    .innerJoin('SearchPage as s', (join) =>
      join.onRef('s.segmentId', '=', 'wanted.segment').onRef('s.page', '=', 'wanted.page'),
    )
    .select(['s.segmentId', 's.page', 's.data']),
);

/** Texts of Memories of an account, with the stamp under which they are what they are. */
export const readTexts = prepared('search.texts', (db, p: Params<{ accountId: string; ids: string[] }>) =>
  db
    .selectFrom('SearchDocument as d')
    .innerJoin('Memory as m', 'm.id', 'd.memoryId')
    .select([
      'm.id',
      'm.spaceId',
      'm.role',
      'm.title',
      'm.body',
      'm.source',
      'm.updatedAt',
      'd.segmentId',
      'd.bytes',
      sql<string>`d.stamp::text`.as('stamp'),
    ])
    .where('d.accountId', '=', p.accountId)
    .where('m.deletedAt', 'is', null)
    .where(isAnyOf('d.memoryId', p.ids)),
);
