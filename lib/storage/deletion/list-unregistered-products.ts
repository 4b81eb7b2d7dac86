import { type Expression, type Kysely, sql } from 'kysely';
import { type AccountActor, hasPermission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { inOpenState } from '#lib/db/open-states.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { DB } from '#lib/db/types.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { isRegistered } from '#lib/products/registry.ts';
import { FREE_PRODUCT } from '#lib/products/types.ts';
import { hasConsent } from '../facts/file-references.ts';

/** A product that the registry does not name any more, and what is left of it. */
export type UnregisteredProduct = {
  productId: string;
  assets: number;
  avatars: number;
  uploads: number;
  rushes: number;
  bytes: bigint;
  generations: number;
  /** Generations that still run: a purge is complete only once they are closed. */
  running: number;
  lastAt: Date | null;
};

type Table = 'Generation' | 'Asset' | 'Upload' | 'Avatar' | 'CaptureRush';

/** What every table of files has. */
type OwnedRow = { accountId: string; productId: string; deletedAt: Date | null; binnedBy: string | null };

// Skips from product to product in the index (account, product, …): as many steps as products, however many rows each has.
function productsOfTable(db: Kysely<DB>, table: Table, accountId: Expression<string>) {
  const next = sql<string | null>`(select t."productId" from ${sql.table(table)} t
    where t."accountId" = ${accountId} and t."productId" > n."productId" order by t."productId" limit 1)`;
  return db
    .withRecursive('n(productId)', (q) =>
      q
        .selectFrom(
          sql<{ productId: string | null }>`(select "productId" from ${sql.table(table)}
            where "accountId" = ${accountId} order by "productId" limit 1)`.as('first'),
        )
        .select('first.productId')
        .unionAll((u) => u.selectFrom('n').select(next.as('productId')).where('n.productId', 'is not', null)),
    )
    .selectFrom('n')
    .select('n.productId')
    .where('n.productId', 'is not', null);
}

const unregistered = prepared(
  'storage.unregistered_products',
  (db, p: Params<{ accountId: string; registered: readonly string[] }>) => {
    const named = (table: Table) =>
      db.selectFrom(productsOfTable(db, table, p.accountId).as('products')).selectAll();
    const live = (table: 'Asset' | 'Upload' | 'Avatar') =>
      db
        .selectFrom(sql<OwnedRow>`${sql.table(table)}`.as('t'))
        .where('t.accountId', '=', p.accountId)
        .where('t.productId', '=', sql.ref<string>('named.productId'))
        .where(({ or, eb }) => or([eb('t.deletedAt', 'is', null), eb('t.binnedBy', 'is not', null)]));
    const count = sql<number>`count(*)::int`;
    const bytes = sql<bigint>`coalesce(sum("bytes"), 0)::bigint`;
    return db
      .selectFrom(
        named('Generation')
          .union(named('Asset'))
          .union(named('Upload'))
          .union(named('Avatar'))
          .union(named('CaptureRush'))
          .as('named'),
      )
      .innerJoinLateral(
        live('Asset')
          .select([count.as('assets'), bytes.as('bytes')])
          .as('a'),
        (join) => join.onTrue(),
      )
      .innerJoinLateral(
        live('Upload')
          // What a purge leaves: the document of a consent is nothing of the product's to delete.
          .where(({ not }) => not(hasConsent(sql.ref<string>('t.pathname'))))
          .select([count.as('uploads'), bytes.as('bytes')])
          .as('u'),
        (join) => join.onTrue(),
      )
      .innerJoinLateral(live('Avatar').select(count.as('avatars')).as('v'), (join) => join.onTrue())
      .innerJoinLateral(
        db
          .selectFrom('CaptureRush as t')
          .where('t.accountId', '=', p.accountId)
          .where('t.productId', '=', sql.ref<string>('named.productId'))
          .where('t.clearedAt', 'is', null)
          .select([
            count.as('rushes'),
            sql<bigint>`coalesce(sum("bytes") filter (where "uploadId" is null), 0)::bigint`.as('bytes'),
          ])
          .as('c'),
        (join) => join.onTrue(),
      )
      .innerJoinLateral(
        db
          .selectFrom('Generation as t')
          .where('t.accountId', '=', p.accountId)
          .where('t.productId', '=', sql.ref<string>('named.productId'))
          .select([
            count.as('generations'),
            sql<number>`count(*) filter (where ${inOpenState('t.state')})::int`.as('running'),
            sql<Date | null>`max("createdAt")`.as('lastAt'),
          ])
          .as('g'),
        (join) => join.onTrue(),
      )
      .where(sql<boolean>`not ${isAnyOf('named.productId', p.registered)}`)
      .select(({ ref }) => [
        ref('named.productId').$notNull().as('productId'),
        'a.assets',
        sql<bigint>`a."bytes" + u."bytes" + c."bytes"`.as('bytes'),
        'v.avatars',
        'u.uploads',
        'c.rushes',
        'g.generations',
        'g.running',
        'g.lastAt',
      ])
      .orderBy('named.productId');
  },
);

/**
 * The products that rows of the account name and that the registry does not: what a purge can delete, and the journal rows that
 * stay in any case. Founders (`storage.purge`), else `forbidden`.
 */
export async function listUnregisteredProducts(
  ctx: Context<AccountActor>,
  registered: readonly string[],
): Promise<UnregisteredProduct[]> {
  if (!hasPermission(ctx.actor, 'storage.purge')) throw new ServiceError('forbidden');
  const rows = await unregistered.all(ctx.kysely, {
    accountId: ctx.actor.accountId,
    registered: [FREE_PRODUCT, ...registered],
  });
  return rows.filter(({ productId }) => !isRegistered(productId));
}
