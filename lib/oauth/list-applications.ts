import { sql } from 'kysely';
import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import type { Micros } from '#lib/core/money.ts';
import type { SpaceRights } from '#lib/db/space-rights.ts';
import { usedIn } from '#lib/ledger/lines.ts';
import { utcMonth } from '#lib/ledger/month.ts';
import { provenHostOf } from './protocol/client.ts';
import type { OAuthScope } from './protocol/config.ts';

/** One application that a member of the account consented to, however many times it connected. */
export type ConnectedApplication = {
  clientId: string;
  name: string;
  uri: string | null;
  /** As `provenHostOf` gives it. */
  provenHost: string | null;
  member: { id: string; name: string };
  scopes: OAuthScope[];
  resources: string[];
  connections: number;
  connectedAt: Date;
  lastUsedAt: Date | null;
  expiresAt: Date;
  /** What it may spend in a UTC month, and what counts against it; null: it does not spend. */
  monthlyCapMicros: Micros | null;
  monthUsedMicros: Micros | null;
  /** The Spaces that its latest connection opens; null: all of the member's. */
  spaces: SpaceRights | null;
  /** Whether a former connection opens others. */
  spacesDiffer: boolean;
};

// Every scope of any of the grants, once.
const allScopes = sql<OAuthScope[]>`(SELECT array_agg(DISTINCT s ORDER BY s)
  FROM unnest(string_to_array(string_agg(array_to_string(g.scopes, ' '), ' '), ' ')) s)`;

/** How many applications a page lists. */
export const APPLICATIONS_A_PAGE = 200;

/** Live grants `g` that a member sees: their own; for a founder, everyone's. */
function isSeen({ actor: { accountId, memberId, role }, clock }: Context<MemberActor>) {
  return sql<boolean>`g."accountId" = ${accountId} and g."revokedAt" is null and g."activatedAt" is not null
    and g."expiresAt" > ${clock.now()} and ${role === 'FOUNDER' ? sql`true` : sql`g."memberId" = ${memberId}`}`;
}

/** How many applications `listApplications` lists on all its pages. */
export async function countApplications(ctx: Context<MemberActor>): Promise<number> {
  const { all } = await ctx.kysely
    .selectFrom('OAuthGrant as g')
    .select(sql<number>`count(distinct (g."clientId", g."memberId"))::int`.as('all'))
    .where(isSeen(ctx))
    .executeTakeFirstOrThrow();
  return all;
}

/** Applications with a live connection: a member's own; for a founder, everyone's. The most recently used first; one page of them, from 1. */
export async function listApplications(
  ctx: Context<MemberActor>,
  { page = 1, size = APPLICATIONS_A_PAGE }: { page?: number; size?: number } = {},
): Promise<ConnectedApplication[]> {
  const month = sql<string>`${utcMonth(ctx.clock.now())}::text`;
  const rows = await ctx.kysely
    .selectFrom('OAuthGrant as g')
    .innerJoin('OAuthClient as c', 'c.id', 'g.clientId')
    .innerJoin('Member as m', 'm.id', 'g.memberId')
    .leftJoin('CredentialAllowance as allowance', (join) =>
      join.onRef('allowance.memberId', '=', 'g.memberId').onRef('allowance.clientId', '=', 'g.clientId'),
    )
    .select(['c.id as clientId', 'c.name', 'c.uri', 'm.id as memberId', 'm.name as memberName'])
    .select((eb) => [
      allScopes.as('scopes'),
      sql<string[]>`array_agg(DISTINCT g.resource ORDER BY g.resource)`.as('resources'),
      sql<number>`count(*)::int`.as('connections'),
      sql<SpaceRights | null>`(array_agg(g."spaceRights" order by g."createdAt" desc, g.id desc))[1]`.as(
        'spaces',
      ),
      sql<boolean>`count(distinct coalesce(g."spaceRights", 'null'))::int > 1`.as('spacesDiffer'),
      eb.fn.min('g.createdAt').as('connectedAt'),
      eb.fn.max('g.lastUsedAt').as('lastUsedAt'),
      eb.fn.max('g.expiresAt').as('expiresAt'),
      // None of its live grants spends: the allowance is of a grant that has ended.
      sql<
        bigint | null
      >`max(${sql.ref('allowance.monthlyCapMicros')}) filter (where g."allowanceId" is not null)`.as(
        'monthlyCapMicros',
      ),
      sql<bigint | null>`max(${usedIn(month, 'allowance')}) filter (where g."allowanceId" is not null)`.as(
        'monthUsedMicros',
      ),
    ])
    .where(isSeen(ctx))
    .groupBy(['c.id', 'c.name', 'c.uri', 'm.id', 'm.name'])
    .orderBy(
      (eb) => eb.fn.max('g.lastUsedAt'),
      (by) => by.desc().nullsLast(),
    )
    .orderBy((eb) => eb.fn.min('g.createdAt'), 'desc')
    .orderBy('c.id')
    .orderBy('m.id')
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  return rows.map(({ memberId: id, memberName: name, ...row }) => ({
    ...row,
    member: { id, name },
    provenHost: provenHostOf(row.clientId),
  }));
}
