import { type Expression, expressionBuilder, type QueryCreator, sql } from 'kysely';
import { inOpenState } from '#lib/db/open-states.ts';
import type { DB } from '#lib/db/types.ts';
import { THUMBNAIL_SUFFIX } from '../pathnames.ts';

/** The tables of a statement that begins with the CTE `in_flight`. */
type WithInFlight = DB & { in_flight: { name: string } };

/**
 * The names (pathnames and identifiers) that running generations read: the files of their references and the voice that a lipsync
 * speaks. Every statement on facts begins with it: `.with((cte) => cte('in_flight').materialized(), inFlightNames)`. With an account (null:
 * any), of its generations alone: none reads a file of another.
 */
export function inFlightNames(query: QueryCreator<DB>, accountId?: Expression<string | null> | string) {
  const names = query
    .selectFrom('Generation as g')
    .innerJoinLateral(
      query
        .selectNoFrom(named('$.**.pathname'))
        .unionAll(query.selectNoFrom(named('$.**.ref')))
        .unionAll(
          query.selectNoFrom(sql<unknown>`${sql.ref('g.references')} -> 'voiceGenerationId'`.as('name')),
        )
        .as('used'),
      (join) => join.onTrue(),
    )
    .where(inOpenState('g.state'))
    .where('used.name', 'is not', null)
    .select(sql<string>`${sql.ref('used.name')} #>> '{}'`.as('name'))
    .distinct();
  return accountId === undefined ? names : names.where(isOfAccount('g.accountId', accountId));
}

/**
 * Whether a row belongs to this account; always true when it is null. With a known account the comparison stands alone, so that an index
 * serves it.
 */
export function isOfAccount(column: string, accountId: Expression<string | null> | string) {
  if (typeof accountId === 'string') return sql<boolean>`${sql.ref(column)} = ${accountId}`;
  return sql<boolean>`(${accountId}::text is null or ${sql.ref(column)} = ${accountId})`;
}

function named(path: string) {
  return sql<unknown>`jsonb_path_query(${sql.ref('g.references')}, ${sql.lit(path)})`.as('name');
}

const eb = expressionBuilder<WithInFlight>();
const one = sql.lit(1).as('one');

/** Whether the query has a row. */
export function exists(query: Expression<unknown>) {
  return eb.exists(query).$castTo<boolean>();
}

/** Whether a running generation reads one of these names. */
export function isInFlight(...names: Expression<string | null>[]) {
  return exists(
    eb
      .selectFrom('in_flight as f')
      .select(one)
      .where(sql<boolean>`${sql.ref('f.name')} in (${sql.join(names)})`),
  );
}

/** An avatar that is kept shows the file. */
export function hasAvatar(pathname: Expression<string>) {
  return exists(
    eb
      .selectFrom('Avatar as v')
      .select(one)
      .where('v.pathname', '=', pathname)
      .where('v.deletedAt', 'is', null),
  );
}

/** A product keeps the file as a capture rush. */
export function hasRush(pathname: Expression<string>) {
  return exists(
    eb
      .selectFrom('CaptureRush as r')
      .select(one)
      .where('r.pathname', '=', pathname)
      .where('r.clearedAt', 'is', null)
      .where('r.deletedAt', 'is', null),
  );
}

/** The file is the signed document of a consent: the proof of somebody's agreement is kept. */
export function hasConsent(pathname: Expression<string>) {
  return exists(eb.selectFrom('Consent as c').select(one).where('c.pathname', '=', pathname));
}

/** The row's file is there: it was not deleted, or waits in the bin. */
function isStored(table: 'a' | 'u') {
  return sql<boolean>`(${sql.ref(`${table}.deletedAt`)} is null or ${sql.ref(`${table}.binnedBy`)} is not null)`;
}

/** The pathname is that of an asset whose file is there (in the bin or not), or whose file is gone. */
export function hasAsset(pathname: Expression<string>, state: 'there' | 'deleted' = 'there') {
  return exists(
    eb
      .selectFrom('Asset as a')
      .select(one)
      .where('a.pathname', '=', pathname)
      .where(({ not }) => (state === 'there' ? isStored('a') : not(isStored('a')))),
  );
}

/** The pathname is that of the thumbnail of an asset whose file is there. */
export function hasThumbnail(pathname: Expression<string>) {
  const file = sql<string>`left(${pathname}, ${sql.lit(-THUMBNAIL_SUFFIX.length)})`;
  return exists(
    eb
      .selectFrom('Asset as a')
      .select(one)
      .where(sql<boolean>`${pathname} like ${sql.lit(`%${THUMBNAIL_SUFFIX}`)}`)
      .where('a.pathname', '=', file)
      .where('a.thumbnailAt', 'is not', null)
      .where(isStored('a')),
  );
}

/** The pathname is that of an upload whose file is there. */
export function hasUpload(pathname: Expression<string>) {
  return exists(
    eb.selectFrom('Upload as u').select(one).where('u.pathname', '=', pathname).where(isStored('u')),
  );
}
