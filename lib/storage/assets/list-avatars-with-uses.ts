import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { GenerationKind } from '#lib/db/generated/tables.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { isBeyond } from '#lib/db/values.ts';
import { usesOf } from '../facts/file-uses.ts';

type AvatarUse = { id: string; kind: GenerationKind; at: Date; brief: string | null };

export type AvatarWithUses = {
  id: string;
  name: string;
  productId: string;
  pathname: string;
  memberName: string;
  createdAt: Date;
  /** The generation that made the image; null when it was imported. */
  generationId: string | null;
  /** The latest generations that were given this image, at most five. */
  uses: AvatarUse[];
  /** How many in all, counted up to 100. */
  useCount: number;
};

type AvatarsPage = {
  avatars: AvatarWithUses[];
  /** Avatars by product, over the whole account. */
  products: { productId: string; avatars: number }[];
  nextBefore: string | null;
};

const USES_SHOWN = 5;
const USES_COUNTED = 100;

type Page = { accountId: string; productId: string | null; before: string | null; limit: number };

// Two statements: a single one with an optional product would get a plan that uses no index.
const avatarsOf = (ofProduct: boolean) =>
  prepared(`storage.avatars.page.${ofProduct ? 'product' : 'account'}`, (db, p: Params<Page>) =>
    db
      .selectFrom(
        db
          .selectFrom('Avatar as a')
          .selectAll('a')
          .where('a.accountId', '=', p.accountId)
          .where('a.deletedAt', 'is', null)
          .where(ofProduct ? sql<boolean>`${sql.ref('a.productId')} = ${p.productId}` : sql<boolean>`true`)
          .where(isBeyond('<', 'Avatar', ['a.createdAt', 'a.id'], p.before, p.accountId))
          .orderBy('a.createdAt', 'desc')
          .orderBy('a.id', 'desc')
          .limit(p.limit)
          .as('v'),
      )
      .leftJoin('Member as m', (join) =>
        join.onRef('m.id', '=', 'v.memberId').on('m.accountId', '=', p.accountId),
      )
      .leftJoin('Asset as a', 'a.id', 'v.assetId')
      .innerJoinLateral(
        (eb) =>
          eb
            .selectFrom(
              eb
                .selectFrom('Generation as g')
                .select(['g.id', 'g.kind', 'g.createdAt', 'g.params'])
                .select(({ fn }) =>
                  fn
                    .agg<bigint>('row_number')
                    .over((o) => o.orderBy('g.createdAt', 'desc').orderBy('g.id', 'desc'))
                    .as('rank'),
                )
                .where('g.accountId', '=', p.accountId)
                .where(usesOf(sql.ref('v.pathname'), [sql.ref('v.id'), sql.ref('v.assetId')]))
                .orderBy('g.createdAt', 'desc')
                .orderBy('g.id', 'desc')
                .limit(sql.lit(USES_COUNTED))
                .as('u'),
            )
            .select([
              sql<number>`count(*)::int`.as('useCount'),
              sql<
                UseAsJson[]
              >`coalesce(jsonb_agg(jsonb_build_object('id', u."id", 'kind', u."kind", 'at', u."createdAt",
                'brief', left(u."params" ->> 'brief', 120)) order by u."createdAt" desc, u."id" desc)
                filter (where u."rank" <= ${sql.lit(USES_SHOWN)}), '[]'::jsonb)`.as('uses'),
            ])
            .as('used'),
        (join) => join.onTrue(),
      )
      .select(['v.id', 'v.name', 'v.productId', 'v.pathname', 'v.createdAt', 'a.generationId'])
      .select(['used.useCount', 'used.uses'])
      .select(sql<string>`coalesce(nullif(m."name", ''), m."email", '')`.as('memberName'))
      .orderBy('v.createdAt', 'desc')
      .orderBy('v.id', 'desc'),
  );
const avatarPage = { account: avatarsOf(false), product: avatarsOf(true) };

type UseAsJson = Omit<AvatarUse, 'at'> & { at: string };

const avatarProducts = prepared('storage.avatars.products', (db, p: Params<{ accountId: string }>) =>
  db
    .selectFrom('Avatar')
    .select(['productId', sql<number>`count(*)::int`.as('avatars')])
    .where('accountId', '=', p.accountId)
    .where('deletedAt', 'is', null)
    .groupBy('productId')
    .orderBy('avatars', 'desc')
    .orderBy('productId'),
);

/** The avatars that the account keeps, newest first, of one product when it is given, with where each was used. Keyset paging. */
export async function listAvatarsWithUses(
  ctx: Context<AccountActor>,
  input: { productId?: string | undefined; before?: string | undefined; limit?: number } = {},
): Promise<AvatarsPage> {
  const limit = input.limit ?? 24;
  const { accountId } = ctx.actor;
  const [rows, products] = await Promise.all([
    avatarPage[input.productId === undefined ? 'account' : 'product'].all(ctx.kysely, {
      accountId,
      productId: input.productId ?? null,
      before: input.before ?? null,
      limit: limit + 1,
    }),
    avatarProducts.all(ctx.kysely, { accountId }),
  ]);
  const avatars = rows.slice(0, limit).map((row) => ({
    ...row,
    uses: row.uses.map((use) => ({ ...use, at: new Date(use.at) })),
  }));
  return { avatars, products, nextBefore: rows.length > limit ? (avatars.at(-1)?.id ?? null) : null };
}
