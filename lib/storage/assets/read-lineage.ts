import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { AssetState, AssetType } from '#lib/db/generated/tables.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { fileGone } from '../refusals.ts';

export type LineageRelation = 'self' | 'ancestor' | 'descendant' | 'variant';

/** A generation of a lineage, with its first file when there is one left. */
export type LineageEntry = {
  generationId: string;
  relation: LineageRelation;
  ancestorId: string | null;
  createdAt: Date;
  assetId: string | null;
  pathname: string | null;
  type: AssetType | null;
  state: AssetState | null;
};

/** A lineage longer than this is cut: the nearest to its root come first. */
const LINEAGE_MAX = 500;

const lineage = prepared('storage.lineage', (db, p: Params<{ generationId: string; accountId: string }>) =>
  db
    .withRecursive('up(id, ancestorId)', (q) =>
      q
        .selectFrom('Generation as g')
        .select(['g.id', 'g.ancestorId'])
        .where('g.id', '=', p.generationId)
        .where('g.accountId', '=', p.accountId)
        .unionAll((u) =>
          u
            .selectFrom('up')
            .innerJoin('Generation as g', 'g.id', 'up.ancestorId')
            .select(['g.id', 'g.ancestorId'])
            .where('g.accountId', '=', p.accountId),
        ),
    )
    .withRecursive('down(id)', (q) =>
      q
        .selectFrom('Generation as g')
        .select('g.id')
        .where('g.id', '=', p.generationId)
        .where('g.accountId', '=', p.accountId)
        .unionAll((u) =>
          u
            .selectFrom('down')
            .innerJoin('Generation as g', 'g.ancestorId', 'down.id')
            .select('g.id')
            .where('g.accountId', '=', p.accountId),
        ),
    )
    .withRecursive('tree(id)', (q) =>
      q
        .selectFrom('up')
        .select('up.id')
        .where('up.ancestorId', 'is', null)
        .unionAll((u) =>
          u
            .selectFrom('tree')
            .innerJoin('Generation as g', 'g.ancestorId', 'tree.id')
            .select('g.id')
            .where('g.accountId', '=', p.accountId),
        ),
    )
    .selectFrom('tree as t')
    .innerJoin('Generation as g', 'g.id', 't.id')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('Asset as a')
          .select(['a.id', 'a.pathname', 'a.type', 'a.state'])
          .whereRef('a.generationId', '=', 'g.id')
          .where('a.deletedAt', 'is', null)
          .orderBy('a.position')
          .limit(sql.lit(1))
          .as('file'),
      (join) => join.onTrue(),
    )
    .select(['g.id as generationId', 'g.ancestorId', 'g.createdAt'])
    .select(['file.id as assetId', 'file.pathname', 'file.type', 'file.state'])
    .select((eb) =>
      eb
        .case()
        .when('g.id', '=', p.generationId)
        .then(relation('self'))
        .when('g.id', 'in', eb.selectFrom('up').select('up.id'))
        .then(relation('ancestor'))
        .when('g.id', 'in', eb.selectFrom('down').select('down.id'))
        .then(relation('descendant'))
        .else(relation('variant'))
        .end()
        .as('relation'),
    )
    .orderBy('g.createdAt')
    .orderBy('g.id')
    .limit(sql.lit(LINEAGE_MAX)),
);

function relation(name: LineageRelation) {
  return sql<LineageRelation>`${sql.lit(name)}`;
}

/**
 * The lineage of a generation, oldest first: its ancestors, its descendants, and its variants (what else comes from the same
 * first file). Approving a file of it keeps every other one. Error: `not_found`.
 */
export async function readLineage(
  ctx: Context<AccountActor>,
  input: { generationId: string },
): Promise<LineageEntry[]> {
  const { accountId } = ctx.actor;
  const entries = await lineage.all(ctx.kysely, { generationId: input.generationId, accountId });
  if (entries.length === 0) throw fileGone(input.generationId);
  return entries;
}
