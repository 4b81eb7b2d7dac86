import { type QueryCreator, sql } from 'kysely';
import { inOpenState } from '#lib/db/open-states.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { DB, Executor } from '#lib/db/types.ts';
import { isAnyOf, isOneOf } from '#lib/db/values.ts';
import { PASSED_STATES } from '../file-states.ts';
import type { FileFacts } from '../keep-reason.ts';
import { exists, inFlightNames, isInFlight, isOfAccount } from './file-references.ts';

/** An asset and what keeps or expires it. */
export type AssetWithFacts = FileFacts & {
  id: string;
  accountId: string;
  generationId: string | null;
  pathname: string;
  etag: string | null;
  thumbnailAt: Date | null;
  bytes: bigint;
  createdAt: Date;
  restoredAt: Date | null;
};

/** Facts that no asset can have, or that only the store knows. */
const NEVER = { hasRush: false, hasConsent: false, isRecorded: false, hasChanged: false };

const one = sql.lit(1).as('one');
/** How long a request that took an asset as a reference counts as running before its row is written. */
const USED_FOR = sql`interval '1 hour'`;

/** `accountId`: null for any. */
type Asked = { ids: readonly string[]; now: Date; accountId: string | null };

// A lineage is the whole tree of a first file: up to its root once per file, then down from each root once.
const assetFacts = prepared('storage.facts', (db, p: Params<Asked>) =>
  db
    .withRecursive(
      (cte) => cte('in_flight').materialized(),
      (q: QueryCreator<DB>) => inFlightNames(q, p.accountId),
    )
    .with(
      (cte) => cte('wanted').materialized(),
      (q) =>
        q
          .selectFrom('Asset as a')
          .selectAll('a')
          .where(isAnyOf('a.id', p.ids))
          .where(isOfAccount('a.accountId', p.accountId)),
    )
    .withRecursive('climb(file, at, ancestorId)', (q) =>
      q
        .selectFrom('wanted as w')
        .innerJoin('Generation as g', 'g.id', 'w.generationId')
        .select(['w.id as file', 'g.id as at', 'g.ancestorId'])
        .unionAll((u) =>
          u
            .selectFrom('climb as c')
            .innerJoin('Generation as g', 'g.id', 'c.ancestorId')
            .select(['c.file', 'g.id as at', 'g.ancestorId']),
        ),
    )
    .with('root', (q) => q.selectFrom('climb').select(['file', 'at as root']).where('ancestorId', 'is', null))
    .withRecursive('tree(root, at)', (q) =>
      q
        .selectFrom('root')
        .select(['root', 'root as at'])
        .distinct()
        .union((u) =>
          u
            .selectFrom('tree as t')
            .innerJoin('Generation as g', 'g.ancestorId', 't.at')
            .select(['t.root', 'g.id as at']),
        ),
    )
    .with(
      (cte) => cte('kept_generation').materialized(),
      (q) =>
        q
          .selectFrom('tree as t')
          .innerJoin('Asset as a', 'a.generationId', 't.at')
          .select(['t.root', 't.at'])
          .distinct()
          .where(isOneOf('a.state', PASSED_STATES))
          .where('a.deletedAt', 'is', null),
    )
    .withRecursive('climb_file(file, at, ancestorId)', (q) =>
      q
        .selectFrom('wanted as w')
        .select(['w.id as file', 'w.id as at', 'w.ancestorId'])
        .unionAll((u) =>
          u
            .selectFrom('climb_file as c')
            .innerJoin('Asset as a', 'a.id', 'c.ancestorId')
            .select(['c.file', 'a.id as at', 'a.ancestorId']),
        ),
    )
    .with('root_file', (q) =>
      q.selectFrom('climb_file').select(['file', 'at as root']).where('ancestorId', 'is', null),
    )
    .withRecursive('tree_file(root, at)', (q) =>
      q
        .selectFrom('root_file')
        .select(['root', 'root as at'])
        .distinct()
        .union((u) =>
          u
            .selectFrom('tree_file as t')
            .innerJoin('Asset as a', 'a.ancestorId', 't.at')
            .select(['t.root', 'a.id as at']),
        ),
    )
    .with(
      (cte) => cte('kept_file').materialized(),
      (q) =>
        q
          .selectFrom('tree_file as t')
          .innerJoin('Asset as a', 'a.id', 't.at')
          .select(['t.root', 't.at'])
          .where(isOneOf('a.state', PASSED_STATES))
          .where('a.deletedAt', 'is', null),
    )
    .selectFrom('wanted as w')
    .leftJoin('Generation as g', 'g.id', 'w.generationId')
    .select([
      'w.id',
      'w.accountId',
      'w.generationId',
      'w.pathname',
      'w.etag',
      'w.thumbnailAt',
      'w.bytes',
      'w.state',
      'w.createdAt',
      'w.restoredAt',
      'w.imported as isImported',
    ])
    .select((eb) => [
      exists(
        eb
          .selectFrom('Avatar as v')
          .select(one)
          .whereRef('v.assetId', '=', 'w.id')
          .where('v.deletedAt', 'is', null),
      ).as('hasAvatar'),
      exists(
        eb
          .selectFrom('Lesson as l')
          .select(one)
          .whereRef('l.assetId', '=', 'w.id')
          .where('l.deletedAt', 'is', null),
      ).as('hasLesson'),
      exists(
        eb
          .selectFrom('Concept as c')
          .select(one)
          .whereRef('c.id', '=', 'w.conceptId')
          .where('c.deletedAt', 'is', null),
      ).as('hasConcept'),
      exists(
        eb
          .selectFrom('Avatar as v')
          .select(one)
          .whereRef('v.assetId', '=', 'w.id')
          .where('v.binnedBy', 'is not', null),
      ).as('hasBinnedAvatar'),
      exists(
        eb
          .selectFrom('Concept as c')
          .select(one)
          .whereRef('c.id', '=', 'w.conceptId')
          .where('c.binnedBy', 'is not', null),
      ).as('hasBinnedConcept'),
      eb
        .or([
          exists(
            eb
              .selectFrom('root as r')
              .innerJoin('kept_generation as k', 'k.root', 'r.root')
              .select(one)
              .whereRef('r.file', '=', 'w.id')
              .whereRef('k.at', '<>', 'w.generationId'),
          ),
          exists(
            eb
              .selectFrom('root_file as r')
              .innerJoin('kept_file as k', 'k.root', 'r.root')
              .select(one)
              .whereRef('r.file', '=', 'w.id')
              .whereRef('k.at', '<>', 'w.id'),
          ),
        ])
        .$castTo<boolean>()
        .as('hasKeptRelative'),
      eb
        .or([
          isInFlight(sql.ref('w.pathname'), sql.ref('w.id'), sql.ref('w.generationId')),
          eb.fn.coalesce(inOpenState('g.state'), sql.lit(false)),
        ])
        .$castTo<boolean>()
        .as('isInFlight'),
      eb.fn
        .coalesce(
          sql<boolean>`${sql.ref('w.usedAt')} between ${p.now}::timestamptz - ${USED_FOR} and ${p.now}::timestamptz + ${USED_FOR}`,
          sql<boolean>`false`,
        )
        .as('isTaken'),
      eb
        .and([
          eb.fn.coalesce(eb('g.kind', '=', 'RENDER'), sql.lit(false)),
          exists(
            eb
              .selectFrom('Asset as s')
              .select(one)
              .whereRef('s.generationId', '=', 'w.generationId')
              .whereRef('s.id', '<>', 'w.id')
              .where(isOneOf('s.state', PASSED_STATES))
              .where('s.deletedAt', 'is', null),
          ),
        ])
        .$castTo<boolean>()
        .as('hasKeptSibling'),
    ])
    .orderBy('w.createdAt')
    .orderBy('w.id'),
);

/** A file that was restored from the bin has thirty days from then on. */
function sinceOf({ createdAt, restoredAt }: { createdAt: Date; restoredAt: Date | null }): Date {
  return restoredAt && restoredAt > createdAt ? restoredAt : createdAt;
}

/**
 * The facts of some assets at an instant, in one round trip, in the order of their creation. `accountId`: of those of this account alone;
 * absent, as for retention, of any.
 */
export async function readAssetFacts(
  on: Executor,
  assetIds: readonly string[],
  now: Date,
  accountId?: string,
): Promise<AssetWithFacts[]> {
  if (assetIds.length === 0) return [];
  const rows = await assetFacts.all(on, { ids: assetIds, now, accountId: accountId ?? null });
  // Every fact is read above or is none of an asset's: the compiler asks for one that is neither.
  return rows.map((row) => ({ ...NEVER, since: sinceOf(row), ...row }));
}
