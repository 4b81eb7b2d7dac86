import { type RawBuilder, sql } from 'kysely';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { isReached } from '#lib/db/space-rights.ts';
import { countRows, isAnyOf } from '#lib/db/values.ts';

/**
 * Live Memories that keep one band at most, of those within the writer's reach: one that is common to more distinguishes none of them, and is not
 * stored again.
 */
const MAX_OF_A_BAND = 16;
/** Texts read to be compared. */
const MAX_READ = 4;
/** From this share of common pairs on, a Memory is said to be like another. */
export const MIN_SIMILARITY = 0.6;

/** `given`: the Spaces of whoever is told (lib/db/space-rights.ts). */
export type LikenessParams = { accountId: string; given: string | null; pairs: number; bands: number[] };

/** What a text may be like, found by its bands, the likeliest first, and its bands that enough others keep. */
export type Likeness = {
  crowded: number[];
  candidates: { id: string; spaceId: string; title: string; body: string }[];
};

/**
 * One JSON value: live Memories of live Spaces within reach that share a band with a text. Bounded by what bands keep, not by how much is in reach.
 * A rare band counts before a crowded one; sizes too unlike to share MIN_SIMILARITY of their pairs are left out.
 */
export function likenessOf(p: Params<LikenessParams>, except: RawBuilder<unknown>): RawBuilder<Likeness> {
  const [most, read, like] = [MAX_OF_A_BAND, MAX_READ, MIN_SIMILARITY].map((value) => sql.lit(value));
  return sql<Likeness>`(
    with kept as materialized (
      select "memoryId", pairs, bands from "MemorySketch"
      where "accountId" = ${p.accountId} and bands && ${p.bands}::int[] and "memoryId" is distinct from ${except}
    ), near as (
      select k.* from kept k
      join "Memory" m on m.id = k."memoryId" and m."accountId" = ${p.accountId} and m."deletedAt" is null
      join "Space" s on s.id = m."spaceId" and s."archivedAt" is null and ${isReached(p.given, sql.ref('s.id'))}
    ), hit as (
      select n."memoryId", n.pairs, b.band, count(*) over (partition by b.band) >= ${most} as crowded
      from near n cross join lateral unnest(n.bands) b (band) where b.band = any(${p.bands}::int[])
    ), best as (
      select "memoryId", count(*) filter (where not crowded) as rare, count(*) as bands from hit
      where least(pairs, ${p.pairs}::int) >= ${like} * greatest(pairs, ${p.pairs}::int)
      group by "memoryId" order by rare desc, bands desc, "memoryId" desc limit ${read}
    )
    select json_build_object(
      'crowded', (select coalesce(json_agg(distinct band), '[]') from hit where crowded),
      'candidates', (select coalesce(json_agg(json_build_object('id', m.id, 'spaceId', m."spaceId", 'title', m.title, 'body', m.body)
        order by b.rare desc, b.bands desc, m.id desc), '[]') from best b join "Memory" m on m.id = b."memoryId")))`;
}

/** What a text of an account may be like, the Memory that says it left out. Always one row. */
export const readLikeness = prepared(
  'read-likeness',
  (db, p: Params<LikenessParams & { memoryId: string }>) =>
    db.selectNoFrom(likenessOf(p, sql`${p.memoryId}::text`).as('likeness')),
);

export type SketchParams = { sketchPairs: number; sketchBands: number[] };

/** Memories that one statement looks at. */
export const SKETCH_SLICE = 2_000;

/** Of the next Memories by identifier, `SKETCH_SLICE` at most: how many there were, the last of them, and the live ones that have no sketch. */
export const findUnsketched = prepared('sketch.slice', (db, p: Params<{ after: string }>) =>
  db
    .with('slice', (one) =>
      one
        .selectFrom('Memory')
        .select(['id', 'deletedAt'])
        .where('id', '>', p.after)
        .orderBy('id')
        .limit(sql.lit(SKETCH_SLICE)),
    )
    .selectFrom('slice as s')
    .leftJoin('MemorySketch as k', 'k.memoryId', 's.id')
    .select([
      countRows.as('seen'),
      sql<string | null>`max(s.id)`.as('last'),
      sql<
        string[]
      >`coalesce(array_agg(s.id order by s.id) filter (where k."memoryId" is null and s."deletedAt" is null), '{}')`.as(
        'missing',
      ),
    ]),
);

/** Texts of those of these Memories that are live and have no sketch. */
export const readUnsketched = prepared('sketch.missing', (db, p: Params<{ ids: readonly string[] }>) =>
  db
    .selectFrom('Memory as m')
    .leftJoin('MemorySketch as k', 'k.memoryId', 'm.id')
    .select(['m.id', 'm.accountId', 'm.title', 'm.body'])
    .where('m.deletedAt', 'is', null)
    .where('k.memoryId', 'is', null)
    .where(isAnyOf('m.id', p.ids))
    .orderBy('m.id'),
);

/** Keeps the sketch of a text that was read, unless the Memory has one by now or says something else. */
export const insertSketch = prepared(
  'sketch.insert',
  (db, p: Params<{ memoryId: string; accountId: string; title: string; body: string } & SketchParams>) =>
    db
      .insertInto('MemorySketch')
      .columns(['memoryId', 'accountId', 'pairs', 'bands'])
      .expression((eb) =>
        eb
          .selectFrom('Memory as m')
          .select([
            'm.id',
            'm.accountId',
            sql<number>`${p.sketchPairs}::int`.as('pairs'),
            sql<number[]>`${p.sketchBands}::int[]`.as('bands'),
          ])
          .where('m.id', '=', p.memoryId)
          .where('m.accountId', '=', p.accountId)
          .where('m.deletedAt', 'is', null)
          .where('m.title', '=', p.title)
          .where('m.body', '=', p.body),
      )
      .onConflict((conflict) => conflict.column('memoryId').doNothing()),
);
