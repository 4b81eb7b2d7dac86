import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { GenerationKind } from '#lib/db/generated/prisma/client.ts';

export type AvatarUse = { id: string; kind: GenerationKind; at: Date; brief: string | null };

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

export type AvatarsPage = {
  avatars: AvatarWithUses[];
  /** Avatars by product, over the whole account. */
  products: { productId: string; avatars: number }[];
  nextBefore: string | null;
};

// Each role is one containment, so that the index of reference paths answers all of them.
const USED = ['startImage', 'endImage', 'product']
  .map(
    (role) =>
      `g."references" @> jsonb_build_object('roles', jsonb_build_object('${role}', jsonb_build_object('pathname', v."pathname")))`,
  )
  .concat(
    ['character', 'images'].map(
      (role) =>
        `g."references" @> jsonb_build_object('roles', jsonb_build_object('${role}', jsonb_build_array(jsonb_build_object('pathname', v."pathname"))))`,
    ),
  )
  .join(' OR ');

const AVATARS = `
  SELECT v."id", v."name", v."productId", v."pathname", v."createdAt", COALESCE(NULLIF(m."name", ''), m."email", '') AS "memberName",
    a."generationId", used."useCount", used."uses"
  FROM (SELECT * FROM "Avatar" WHERE "accountId" = $1 AND "deletedAt" IS NULL AND ($2::text IS NULL OR "productId" = $2)
      AND ($3::text IS NULL OR ("createdAt", "id") < (SELECT p."createdAt", p."id" FROM "Avatar" p WHERE p."id" = $3 AND p."accountId" = $1))
    ORDER BY "createdAt" DESC, "id" DESC LIMIT $4) v
  LEFT JOIN "Member" m ON m."id" = v."memberId" AND m."accountId" = $1
  LEFT JOIN "Asset" a ON a."id" = v."assetId"
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS "useCount",
      COALESCE(jsonb_agg(jsonb_build_object('id', u."id", 'kind', u."kind", 'at', u."createdAt", 'brief', left(u."params" ->> 'brief', 120))
        ORDER BY u."createdAt" DESC) FILTER (WHERE u."rank" <= 5), '[]'::jsonb) AS "uses"
    FROM (SELECT g."id", g."kind", g."createdAt", g."params", row_number() OVER (ORDER BY g."createdAt" DESC) AS "rank"
      FROM "Generation" g WHERE g."references" <> '{}'::jsonb AND g."accountId" = $1 AND (${USED})
      ORDER BY g."createdAt" DESC LIMIT 100) u) used
  ORDER BY v."createdAt" DESC, v."id" DESC`;

type Row = Omit<AvatarWithUses, 'uses'> & { uses: (Omit<AvatarUse, 'at'> & { at: string })[] };

/** The avatars that the account keeps, newest first, of one product when it is given, with where each was used. Keyset paging. */
export async function listAvatarsWithUses(
  ctx: Context<AccountActor>,
  input: { productId?: string | undefined; before?: string | undefined; limit?: number } = {},
): Promise<AvatarsPage> {
  const limit = input.limit ?? 24;
  const [rows, products] = await Promise.all([
    ctx.sql.rows<Row>('storage.avatars', AVATARS, [
      ctx.actor.accountId,
      input.productId ?? null,
      input.before ?? null,
      limit + 1,
    ]),
    ctx.sql.rows<{ productId: string; avatars: number }>(
      'storage.avatars.products',
      `SELECT "productId", count(*)::int AS "avatars" FROM "Avatar" WHERE "accountId" = $1 AND "deletedAt" IS NULL
       GROUP BY 1 ORDER BY 2 DESC, 1`,
      [ctx.actor.accountId],
    ),
  ]);
  const avatars = rows.slice(0, limit).map((row) => ({
    ...row,
    uses: row.uses.map((use) => ({ ...use, at: new Date(use.at) })),
  }));
  return { avatars, products, nextBefore: rows.length > limit ? (avatars.at(-1)?.id ?? null) : null };
}
