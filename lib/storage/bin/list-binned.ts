import { sql } from 'kysely';
import { type AccountActor, hasPermission } from '#lib/core/actor.ts';
import { BIN_PAGE, binEnd, erasedBefore } from '#lib/core/bin-time.ts';
import type { Context } from '#lib/core/context.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import type { BinnedKind } from './binned-kinds.ts';

export type BinnedItem = {
  kind: BinnedKind;
  /** Of the generation whose files they are, or of the upload, the avatar, the concept. */
  id: string;
  /** Brief, or name; null for what has none. */
  name: string | null;
  /** Kind of the generation or of the upload. */
  what: string | null;
  productId: string;
  /** Its files; of a concept, those that it gathers. */
  files: number;
  bytes: number;
  /** The picture shown for it; for a deleted file, only a thumbnail made before. */
  pathname: string | null;
  deletedAt: Date;
  /** A nightly run after this instant erases it. */
  erasedAt: Date;
  /** Name of the member who deleted it; null for one who is no more. */
  by: string | null;
};

export type Binned = {
  /** Latest first; at most 100 of each kind, after those that were skipped. */
  items: BinnedItem[];
  total: Record<BinnedKind, number>;
  /** Bytes of all of it, which count against the account's quota. */
  bytes: number;
};

type Row = Omit<BinnedItem, 'erasedAt' | 'bytes'> & { bytes: bigint; total: number; allBytes: bigint };

// Each kind is one range of its own partial index, grouped and counted whole, then cut: few things are deleted in 30 days.
const binned = prepared('storage.bin', (db, p: Params<{ accountId: string; since: Date; skip: number }>) => {
  const page = sql`limit ${sql.lit(BIN_PAGE)} offset ${p.skip}::int`;
  return db
    .selectFrom(
      sql<Row & { binnedBy: string }>`(
      select 'files' as "kind", f.*, left(g."params" ->> 'brief', 140) as "name", g."kind"::text as "what" from (
        select "generationId" as "id", min("productId") as "productId", max("deletedAt") as "deletedAt", min("binnedBy") as "binnedBy",
          count(*)::int as "files", sum("bytes")::bigint as "bytes", (sum(sum("bytes")) over ())::bigint as "allBytes",
          (array_agg("pathname" order by "position", "id") filter (where "type" = 'IMAGE' and "thumbnail" <> ''))[1] as "pathname",
          (count(*) over ())::int as "total"
        from "Asset" where "accountId" = ${p.accountId} and "binnedBy" is not null and "deletedAt" >= ${p.since} and "generationId" is not null
        group by "generationId" order by max("deletedAt") desc, "generationId" desc ${page}) f
      join "Generation" g on g."id" = f."id" and g."accountId" = ${p.accountId}
      union all
      (select 'upload', "id", "productId", "deletedAt", "binnedBy", 1, "bytes", (sum("bytes") over ())::bigint,
        case when "kind" = 'IMAGE' then "pathname" end, (count(*) over ())::int, null, "kind"::text
        from "Upload" where "accountId" = ${p.accountId} and "binnedBy" is not null and "deletedAt" >= ${p.since}
        order by "deletedAt" desc, "id" desc ${page})
      union all
      (select 'avatar', v."id", v."productId", v."deletedAt", v."binnedBy", 0, 0, 0,
        (select a."pathname" from "Asset" a where a."pathname" = v."pathname" and a."accountId" = v."accountId"
          and (a."deletedAt" is null or a."thumbnail" <> '')),
        (count(*) over ())::int, v."name", null
        from "Avatar" v where v."accountId" = ${p.accountId} and v."binnedBy" is not null and v."deletedAt" >= ${p.since}
        order by v."deletedAt" desc, v."id" desc ${page})
      union all
      (select 'concept', c."id", c."productId", c."deletedAt", c."binnedBy",
        (select count(*)::int from "Asset" a where a."conceptId" = c."id" and a."deletedAt" is null), 0, 0, null,
        (count(*) over ())::int, c."name", null
        from "Concept" c where c."accountId" = ${p.accountId} and c."binnedBy" is not null and c."deletedAt" >= ${p.since}
        order by c."deletedAt" desc, c."id" desc ${page}))`.as('b'),
    )
    .leftJoin('Member as m', (join) =>
      join.onRef('m.id', '=', 'b.binnedBy').on('m.accountId', '=', p.accountId),
    )
    .select(['b.kind', 'b.id', 'b.name', 'b.what', 'b.productId', 'b.files', 'b.bytes', 'b.pathname'])
    .select(['b.deletedAt', 'b.total', 'b.allBytes'])
    .select(sql<string | null>`coalesce(nullif(m."name", ''), m."email")`.as('by'))
    .orderBy('b.deletedAt', 'desc')
    .orderBy('b.id', 'desc');
});

/**
 * The files, uploads, avatars and concepts that the account deleted in the last 30 days and can restore, latest first, of each kind after `skip`
 * others. A kind without any after them counts as empty, in `bytes` too. Empty for a member who may not generate, like the journal.
 */
export async function listBinned(
  ctx: Context<AccountActor>,
  { skip = 0 }: { skip?: number } = {},
): Promise<Binned> {
  const total: Binned['total'] = { files: 0, upload: 0, avatar: 0, concept: 0 };
  if (!hasPermission(ctx.actor, 'generate')) return { items: [], total, bytes: 0 };
  const rows: Row[] = await binned.all(ctx.kysely, {
    accountId: ctx.actor.accountId,
    since: erasedBefore(ctx.clock.now()),
    skip,
  });
  const bytes: Partial<Record<BinnedKind, bigint>> = {};
  const items = rows.map(({ total: ofKind, allBytes, ...row }) => {
    total[row.kind] = ofKind;
    bytes[row.kind] = allBytes;
    return { ...row, bytes: Number(row.bytes), erasedAt: binEnd(row.deletedAt) };
  });
  return { items, total, bytes: Number((bytes.files ?? 0n) + (bytes.upload ?? 0n)) };
}
