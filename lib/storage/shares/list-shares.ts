import { type RawBuilder, sql } from 'kysely';
import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { MemberRole, MemberStatus } from '#lib/db/generated/tables.ts';
import { commonSpaces, givenSpaces, isReached, type SpaceRights } from '#lib/db/space-rights.ts';
import { briefOf, countRows } from '#lib/db/values.ts';
import { authorOf, mayShow } from './share-rules.ts';

/** Links that a member sees and ends: their own; a founder, everybody's of the account. */
export function isShareInReach({ role, memberId }: MemberActor): RawBuilder<boolean> {
  return role === 'FOUNDER' ? sql<boolean>`true` : sql<boolean>`l."createdById" = ${memberId}`;
}

/**
 * Whether what the link `l` shows still exists. Links to deleted things are neither listed nor counted, because nobody could withdraw them;
 * restoring the thing restores its links.
 */
export const showsWhatIsThere = sql<boolean>`(
  exists (select from "Asset" f where f."id" = l."assetId" and f."accountId" = l."accountId"
    and f."deletedAt" is null and f."expiringAt" is null)
  or exists (select from "Space" s where s."id" = l."spaceId" and s."accountId" = l."accountId" and s."archivedAt" is null))`;

/** Why a link that has not ended opens for nobody now: the account is closed; who made it is suspended, is a member no more, or lacks the right. */
export type ShareBlock = 'account' | 'suspended' | 'removed' | 'rights';

export type ShareView = {
  id: string;
  kind: 'file' | 'space';
  /** The Space's name, or what the file was asked for. */
  name: string | null;
  /** Where it is seen in the cockpit. */
  spaceId: string | null;
  generationId: string | null;
  memberName: string | null;
  createdAt: Date;
  expiresAt: Date;
  views: number;
  downloads: number;
  lastViewedAt: Date | null;
  /** Null: it opens. */
  blockedBy: ShareBlock | null;
};

/** How many links a page lists. */
export const SHARES_A_PAGE = 500;

/** Links `l` that have not ended, show what is there, and that the member sees. */
function isListed({ actor, clock }: Context<MemberActor>): RawBuilder<boolean> {
  return sql<boolean>`l."accountId" = ${actor.accountId} and l."withdrawnAt" is null and l."expiresAt" > ${clock.now()}
    and ${isShareInReach(actor)} and ${showsWhatIsThere}
    and (l."spaceId" is null or ${isReached(sql`${givenSpaces(actor)}`, sql.ref<string | null>('l.spaceId'))})`;
}

/** How many links `listShares` lists on all its pages. */
export async function countShares(ctx: Context<MemberActor>): Promise<number> {
  const { all } = await ctx.kysely
    .selectFrom('ShareLink as l')
    .select(countRows.as('all'))
    .where(isListed(ctx))
    .executeTakeFirstOrThrow();
  return all;
}

/**
 * The links that have not ended, the latest first, one page of them, from 1; one that opens for nobody now may open again, and says why it does not.
 * Those of a Space out of reach are left out.
 */
export async function listShares(
  ctx: Context<MemberActor>,
  { page = 1, size = SHARES_A_PAGE }: { page?: number; size?: number } = {},
): Promise<ShareView[]> {
  const { accountId } = ctx.actor;
  const rows = await ctx.kysely
    .selectFrom('ShareLink as l')
    .leftJoin('Space as s', (join) => join.onRef('s.id', '=', 'l.spaceId').on('s.accountId', '=', accountId))
    .leftJoin('Asset as f', (join) => join.onRef('f.id', '=', 'l.assetId').on('f.accountId', '=', accountId))
    .leftJoin('Generation as g', 'g.id', 'f.generationId')
    .leftJoin('Member as m', 'm.id', 'l.createdById')
    .select([
      'l.id',
      'l.spaceId',
      'l.assetId',
      's.name as spaceName',
      briefOf('g.params').as('brief'),
      'f.generationId',
      'm.name as memberName',
      'm.role',
      'm.status',
      'm.permissions',
      commonSpaces('m.role', 'm.spaceRights').as('spaces'),
      'l.createdById',
      'l.createdAt',
      'l.expiresAt',
      'l.views',
      'l.downloads',
      'l.lastViewedAt',
    ])
    .where(isListed(ctx))
    .orderBy('l.createdAt', 'desc')
    .orderBy('l.id', 'desc')
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  return rows.map(
    ({ assetId, spaceName, brief, role, status, permissions, spaces, createdById, ...row }) => ({
      ...row,
      kind: assetId === null ? 'space' : 'file',
      name: assetId === null ? spaceName : brief || null,
      blockedBy: ctx.actor.closed
        ? 'account'
        : blockOf({ accountId, createdById, role, status, permissions, spaces }, row.spaceId),
    }),
  );
}

type Author = {
  accountId: string;
  createdById: string;
  role: MemberRole | null;
  status: MemberStatus | null;
  permissions: readonly string[] | null;
  spaces: SpaceRights | null;
};

/** What opening the link would meet (open-share.ts). */
function blockOf(author: Author, spaceId: string | null): ShareBlock | null {
  const { role, status, permissions } = author;
  if (status === 'SUSPENDED') return 'suspended';
  if (status !== 'ACTIVE' || role === null || permissions === null) return 'removed';
  return mayShow(authorOf({ ...author, role, permissions }), spaceId) ? null : 'rights';
}
