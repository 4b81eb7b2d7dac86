import { type RawBuilder, sql } from 'kysely';
import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { givenSpaces, isReached } from '#lib/db/space-rights.ts';
import { briefOf } from '#lib/db/values.ts';

/** Links that a member sees and ends: their own; a founder, everybody's of the account. */
export function isShareInReach({ role, memberId }: MemberActor): RawBuilder<boolean> {
  return role === 'FOUNDER' ? sql<boolean>`true` : sql<boolean>`l."createdById" = ${memberId}`;
}

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
};

/** The links that live, the latest first, at most 500. Those of a Space out of reach are left out. */
export async function listShares(ctx: Context<MemberActor>): Promise<ShareView[]> {
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
      'l.createdAt',
      'l.expiresAt',
      'l.views',
      'l.downloads',
      'l.lastViewedAt',
    ])
    .where('l.accountId', '=', accountId)
    .where('l.withdrawnAt', 'is', null)
    .where('l.expiresAt', '>', ctx.clock.now())
    .where(isShareInReach(ctx.actor))
    .where((eb) =>
      eb.or([eb('l.spaceId', 'is', null), isReached(sql`${givenSpaces(ctx.actor)}`, eb.ref('l.spaceId'))]),
    )
    // What is gone is shown by nothing any more.
    .where((eb) =>
      eb.or([
        eb.and([eb('f.id', 'is not', null), eb('f.deletedAt', 'is', null), eb('f.expiringAt', 'is', null)]),
        eb.and([eb('s.id', 'is not', null), eb('s.archivedAt', 'is', null)]),
      ]),
    )
    .orderBy('l.createdAt', 'desc')
    .orderBy('l.id', 'desc')
    .limit(500)
    .execute();
  return rows.map(({ assetId, spaceName, brief, ...row }) => ({
    ...row,
    kind: assetId === null ? 'space' : 'file',
    name: assetId === null ? spaceName : brief || null,
  }));
}
