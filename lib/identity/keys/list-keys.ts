import { sql } from 'kysely';
import type { Context } from '#lib/core/context.ts';
import type { SpaceRights } from '#lib/db/space-rights.ts';
import { usedIn } from '#lib/ledger/lines.ts';
import { utcMonth } from '#lib/ledger/month.ts';
import { isKeyInReach } from './key-reach.ts';

/** How many keys a page lists. */
export const KEYS_A_PAGE = 500;

const isLiving = (now: Date) =>
  sql<boolean>`"DeveloperKey"."revokedAt" is null and coalesce("DeveloperKey"."expiresAt" > ${now}, true)`;

/** How many keys `listKeys` lists on all its pages, and how many of them work. */
export function countKeys(
  ctx: Context,
  input: { accountId: string },
): Promise<{ all: number; living: number }> {
  return ctx.kysely
    .selectFrom('DeveloperKey')
    .select([
      sql<number>`count(*)::int`.as('all'),
      sql<number>`(count(*) filter (where ${isLiving(ctx.clock.now())}))::int`.as('living'),
    ])
    .where('DeveloperKey.accountId', '=', input.accountId)
    .where(isKeyInReach(ctx.actor))
    .executeTakeFirstOrThrow();
}

/**
 * The account's keys (for a member who is no founder, their own), newest first, each with its monthly cap and what counts against it, without
 * secrets. One page of them, from 1: usable keys come first, so that every usable key can be seen and revoked.
 */
export async function listKeys(ctx: Context, input: { accountId: string; page?: number; size?: number }) {
  const { page = 1, size = KEYS_A_PAGE } = input;
  const now = ctx.clock.now();
  const month = sql<string>`${utcMonth(now)}::text`;
  const rows = await ctx.kysely
    .selectFrom('DeveloperKey')
    .innerJoin('Member as m', 'm.id', 'DeveloperKey.memberId')
    .leftJoin('CredentialAllowance as allowance', 'allowance.id', 'DeveloperKey.allowanceId')
    .select([
      'DeveloperKey.id',
      'DeveloperKey.name',
      'prefix',
      'scopes',
      'DeveloperKey.createdAt',
      'expiresAt',
      'revokedAt',
      'lastUsedAt',
      'successorId',
      'DeveloperKey.spaceRights',
      'allowance.monthlyCapMicros',
      usedIn(month, 'allowance').as('monthUsedMicros'),
      'm.id as memberId',
      'm.name as memberName',
    ])
    .where('DeveloperKey.accountId', '=', input.accountId)
    .where(isKeyInReach(ctx.actor))
    .orderBy(isLiving(now), 'desc')
    .orderBy('DeveloperKey.createdAt', 'desc')
    .orderBy('DeveloperKey.id', 'desc')
    .limit(size)
    .offset((page - 1) * size)
    .execute();
  const newestFirst = rows.toSorted(
    (one, other) => other.createdAt.getTime() - one.createdAt.getTime() || (one.id < other.id ? 1 : -1),
  );
  return newestFirst.map(({ memberId, memberName, spaceRights, ...key }) => ({
    ...key,
    /** The Spaces that it opens among its member's; null: all of those. */
    spaces: spaceRights as SpaceRights | null,
    member: { id: memberId, name: memberName },
  }));
}
