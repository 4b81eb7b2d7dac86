import { type Expression, type ExpressionBuilder, sql } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { DB } from '#lib/db/types.ts';
import { isAnyOf } from '#lib/db/values.ts';

/** The parent or a child of a Memory. */
export type Neighbour = { id: string; title: string };
export type Neighbours = {
  parent: Neighbour | null;
  /** Oldest first; the first 50 of them. */
  children: Neighbour[];
  /** There are others than those. Absent: these are all. */
  childrenTruncated?: true;
};

const MAX_CHILDREN = 50;

/** The children that are given, of those that were read: one more than are given tells that there are others. */
export function shownChildren(read: readonly Neighbour[]): Omit<Neighbours, 'parent'> {
  const children = read.slice(0, MAX_CHILDREN);
  return read.length > children.length ? { children, childrenTruncated: true } : { children };
}

/** The live Memory in which one whose parent is `parentId` is nested, as JSON. */
export function parentOf(eb: ExpressionBuilder<DB, never>, parentId: Expression<string | null>) {
  return jsonObjectFrom(
    eb
      .selectFrom('Memory as p')
      .select(['p.id', 'p.title'])
      .where('p.id', '=', parentId)
      .where('p.deletedAt', 'is', null),
  );
}

/** The live Memories nested right under `id`, as JSON: the input of `shownChildren`. */
export function childrenOf(eb: ExpressionBuilder<DB, never>, id: Expression<string>) {
  return jsonArrayFrom(
    eb
      .selectFrom('Memory as c')
      .select(['c.id', 'c.title'])
      .where('c.parentId', '=', id)
      .where('c.deletedAt', 'is', null)
      .orderBy('c.createdAt')
      .orderBy('c.id')
      .limit(sql.lit(MAX_CHILDREN + 1)),
  );
}

const neighboursOf = prepared('memories.neighbours', (db, p: Params<{ accountId: string; ids: string[] }>) =>
  db
    .selectFrom('Memory as m')
    .select((eb) => {
      const plain = eb as unknown as ExpressionBuilder<DB, never>;
      return [
        'm.id',
        parentOf(plain, eb.ref('m.parentId')).as('parent'),
        childrenOf(plain, eb.ref('m.id')).as('children'),
      ];
    })
    .where(isAnyOf('m.id', p.ids))
    .where('m.accountId', '=', p.accountId)
    .where('m.deletedAt', 'is', null),
);

/** The parents and children of Memories of the account, by identifier, in one round trip (none when nothing is asked). */
export async function readNeighbours(
  ctx: Context<AccountActor>,
  ids: readonly string[],
): Promise<Map<string, Neighbours>> {
  if (ids.length === 0) return new Map();
  const rows = await neighboursOf.all(ctx.kysely, { accountId: ctx.actor.accountId, ids: [...ids] });
  return new Map(rows.map(({ id, parent, children }) => [id, { parent, ...shownChildren(children) }]));
}
