import { type Expression, sql } from 'kysely';
import { inOpenState } from '#lib/db/open-states.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { Executor } from '#lib/db/types.ts';
import { type FileFacts, factsSince, lastingReason } from '../keep-reason.ts';
import {
  exists,
  hasAsset,
  hasAvatar,
  hasConsent,
  hasRush,
  hasThumbnail,
  hasUpload,
  inFlightNames,
  isInFlight,
} from './file-references.ts';

const one = sql.lit(1).as('one');
const pathname = sql.ref<string>('n.pathname');

/** Pathnames as a table `n`. */
export const pathnameTable = (values: Expression<readonly string[]>) =>
  sql<{ pathname: string }>`unnest(${values}::text[])`.as<'n'>(sql`n("pathname")`);

// Pathnames of assets, of their thumbnails and of uploads that are there are left out: their own rows decide.
const unrecorded = prepared('retention.named', (db, p: Params<{ pathnames: readonly string[] }>) =>
  db
    .with((cte) => cte('in_flight').materialized(), inFlightNames)
    .selectFrom(pathnameTable(p.pathnames))
    .where(({ not, and }) =>
      and([not(hasAsset(pathname)), not(hasUpload(pathname)), not(hasThumbnail(pathname))]),
    )
    .select(pathname.as('pathname'))
    .select(({ or, selectFrom }) => [
      hasAvatar(pathname).as('hasAvatar'),
      hasRush(pathname).as('hasRush'),
      hasConsent(pathname).as('hasConsent'),
      or([
        isInFlight(pathname),
        // What lies in the folder of a running generation is its own.
        exists(
          selectFrom('Generation as g')
            .select(one)
            .where('g.id', '=', sql<string>`split_part(${pathname}, '/', 2)`)
            .where(sql<boolean>`starts_with(${pathname}, 'generations/')`)
            .where(inOpenState('g.state')),
        ),
      ])
        .$castTo<boolean>()
        .as('isInFlight'),
    ]),
);

// A separate statement with a join: inside an EXISTS the planner reads the whole journal for each name instead of its index.
const artifacts = prepared('retention.named_by_artifact', (db, p: Params<{ pathnames: readonly string[] }>) =>
  db
    .selectFrom(pathnameTable(p.pathnames))
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('Generation as g')
          .select('g.id')
          .where(sql<boolean>`${sql.ref('g.artifacts')} <> '[]'::jsonb`)
          .where('g.filesDeletedAt', 'is', null)
          .where(
            sql<boolean>`${sql.ref('g.artifacts')} @> jsonb_build_array(jsonb_build_object('pathname', ${pathname}))`,
          )
          .offset(sql.lit(0))
          .as('g'),
      (join) => join.onTrue(),
    )
    .where(({ not }) => not(hasAsset(pathname, 'deleted')))
    .select(pathname.as('pathname'))
    .distinct(),
);

/**
 * The facts of objects of the store: what names each of these pathnames. Two statements, the second only for those that the first
 * one finds nothing for: whether a delivered generation lists it among its artifacts.
 */
export async function readObjectFacts(
  on: Executor,
  objects: readonly { pathname: string; uploadedAt: Date }[],
): Promise<FileFacts[]> {
  if (objects.length === 0) return [];
  const rows = await unrecorded.all(on, { pathnames: objects.map((object) => object.pathname) });
  const named = new Map(rows.map((row) => [row.pathname, row]));
  const facts = objects.map((object) => {
    const row = named.get(object.pathname);
    return { ...factsSince(object.uploadedAt), ...row, pathname: object.pathname, isRecorded: !row };
  });
  const unkept = facts.filter((fact) => lastingReason(fact) === null).map((fact) => fact.pathname);
  const listed = unkept.length === 0 ? [] : await artifacts.all(on, { pathnames: unkept });
  const inArtifacts = new Set(listed.map((row) => row.pathname));
  return facts.map((fact) => ({
    ...fact,
    isRecorded: fact.isRecorded || inArtifacts.has(fact.pathname),
  }));
}
