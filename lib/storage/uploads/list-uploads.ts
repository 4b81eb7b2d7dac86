import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { UploadKind } from '#lib/db/generated/tables.ts';
import { isBeyond } from '#lib/db/values.ts';
import { usesOf } from '../facts/file-uses.ts';
import { liveUploads, withUploadFacts } from '../facts/upload-facts.ts';
import { type FileRetention, fileRetention } from '../keep-reason.ts';
import type { UploadRecord } from './record-upload.ts';

export type { UploadKind };

/** A file that a member sent, with what keeps it or when it expires, and where it was used. */
export type ListedUpload = UploadRecord &
  FileRetention & {
    memberName: string;
    /** How many generations were given it, counted up to 100, and the latest one. */
    uses: number;
    lastUse: { generationId: string; at: Date } | null;
  };

type UploadsPage = { uploads: ListedUpload[]; nextBefore: string | null };

const USES_COUNTED = 100;

/**
 * The account's uploads that are still there, newest first, each with what keeps it or when it expires (the very rule of the nightly
 * retention) and where it was used. Keyset paging by identifier; 50 at once unless asked otherwise, at most 200.
 */
export async function listUploads(
  ctx: Context<AccountActor>,
  input: { productId?: string; kind?: UploadKind; before?: string; limit?: number } = {},
): Promise<UploadsPage> {
  const now = ctx.clock.now();
  const { accountId } = ctx.actor;
  const limit = Math.min(input.limit ?? 50, 200);
  let page = liveUploads(ctx.kysely, accountId)
    .select(['u.memberId', 'u.productId', 'u.kind', 'u.contentType', 'u.width', 'u.height', 'u.durationMs'])
    .select(['u.via', 'u.createdAt'])
    .where('u.accountId', '=', accountId)
    .where('u.expiringAt', 'is', null);
  if (input.productId !== undefined) page = page.where('u.productId', '=', input.productId);
  if (input.kind !== undefined) page = page.where('u.kind', '=', input.kind);
  if (input.before !== undefined)
    page = page.where(
      isBeyond('<', 'Upload', ['u.createdAt', 'u.id'], sql.val(input.before), sql.val(accountId)),
    );
  // Cut to the page first: where a file was used is looked for once a line of the page, not once a file of the account.
  const cut = page
    .orderBy('u.createdAt', 'desc')
    .orderBy('u.id', 'desc')
    .limit(limit + 1)
    .as('u');
  const rows = await ctx.kysely
    .selectFrom(cut)
    .leftJoin('Member as m', (join) =>
      join.onRef('m.id', '=', 'u.memberId').on('m.accountId', '=', accountId),
    )
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom(
            eb
              .selectFrom('Generation as g')
              .select(['g.id', 'g.createdAt'])
              .where('g.accountId', '=', accountId)
              .where(usesOf(sql.ref('u.pathname'), [sql.ref('u.id')]))
              .orderBy('g.createdAt', 'desc')
              .orderBy('g.id', 'desc')
              .limit(USES_COUNTED)
              .as('g'),
          )
          .select([
            sql<number>`count(*)::int`.as('uses'),
            sql<string | null>`(array_agg("id" order by "createdAt" desc, "id" desc))[1]`.as('lastId'),
            sql<Date | null>`max("createdAt")`.as('lastAt'),
          ])
          .as('used'),
      (join) => join.onTrue(),
    )
    .selectAll('u')
    .select(['used.uses', 'used.lastId', 'used.lastAt'])
    .select(sql<string>`coalesce(nullif(m."name", ''), m."email", '')`.as('memberName'))
    .orderBy('u.createdAt', 'desc')
    .orderBy('u.id', 'desc')
    .execute();
  const uploads = rows.slice(0, limit).map((row): ListedUpload => {
    const { id, productId, kind, pathname, contentType, width, height, durationMs, via, createdAt } = row;
    return {
      id,
      productId,
      kind,
      pathname,
      contentType,
      width,
      height,
      durationMs,
      via,
      createdAt,
      bytes: Number(row.bytes),
      ...fileRetention(withUploadFacts(row), now),
      memberName: row.memberName,
      uses: row.uses ?? 0,
      lastUse: row.lastId && row.lastAt ? { generationId: row.lastId, at: row.lastAt } : null,
    };
  });
  return { uploads, nextBefore: rows.length > limit ? (uploads.at(-1)?.id ?? null) : null };
}
