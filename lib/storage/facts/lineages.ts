import { expressionBuilder, type Kysely, type QueryCreator, sql } from 'kysely';
import type { Params } from '#lib/db/prepared.ts';
import type { DB } from '#lib/db/types.ts';
import { isAnyOf, isOneOf } from '#lib/db/values.ts';
import { PASSED_STATES } from '../file-states.ts';
import { exists, inFlightNames, isOfAccount } from './file-references.ts';

/** `accountId`: null for any. */
type Asked = { ids: readonly string[]; accountId: string | null };

/** The names that running generations read (`in_flight`), and the files that are asked about (`wanted`). */
function withWantedFiles(db: Kysely<DB>, p: Params<Asked>) {
  return db
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
    );
}

/** The lineages of the generations that made them: each file's `root`, and those of a `tree` that have a file kept. */
function withGenerationLineages(db: ReturnType<typeof withWantedFiles>) {
  return db
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
    );
}

/** The lineages of the files themselves, which imported ones have without a generation: `root_file`, and the kept ones of a `tree_file`. */
function withFileLineages(db: ReturnType<typeof withGenerationLineages>) {
  return db
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
    );
}

/**
 * The common tables of a statement on the facts of assets: `in_flight`, `wanted`, and their lineages. A lineage is the whole tree of a first
 * file: up to its root once per file, then down from each root once.
 */
export function withLineages(db: Kysely<DB>, p: Params<Asked>) {
  return withFileLineages(withGenerationLineages(withWantedFiles(db, p)));
}

type WithLineages = DB & {
  root: { file: string; root: string };
  kept_generation: { root: string; at: string };
  root_file: { file: string; root: string };
  kept_file: { root: string; at: string };
};

const one = sql.lit(1).as('one');

/** Another file of the lineage of `w` is kept: of the generations, or of the files themselves. */
export function hasKeptRelative() {
  const eb = expressionBuilder<WithLineages>();
  return eb
    .or([
      exists(
        eb
          .selectFrom('root as r')
          .innerJoin('kept_generation as k', 'k.root', 'r.root')
          .select(one)
          .where('r.file', '=', sql.ref<string>('w.id'))
          .where('k.at', '<>', sql.ref<string>('w.generationId')),
      ),
      exists(
        eb
          .selectFrom('root_file as r')
          .innerJoin('kept_file as k', 'k.root', 'r.root')
          .select(one)
          .where('r.file', '=', sql.ref<string>('w.id'))
          .where('k.at', '<>', sql.ref<string>('w.id')),
      ),
    ])
    .$castTo<boolean>();
}
