import { type AccountActor, hasPermission, type Permission } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { SpaceRights } from '#lib/db/space-rights.ts';
import { FAILURES_ALLOWED } from '../sign-in/attempts.ts';
import { ERASED_NAME } from './erase-member.ts';

/** How many members a page lists. */
export const MEMBERS_A_PAGE = 500;

/**
 * One page (from 1) of the account's members, founders first, then the oldest. Says of each who joined whether too many wrong codes block
 * their address in new browsers, never of an invited one: that is another account's affair. Errors: `forbidden`.
 */
export async function listMembers(
  ctx: Context<AccountActor>,
  { page = 1, size = MEMBERS_A_PAGE }: { page?: number; size?: number } = {},
) {
  if (!hasPermission(ctx.actor, 'members.manage')) throw new ServiceError('forbidden');
  const members = await ctx.db.member.findMany({
    where: { accountId: ctx.actor.accountId, status: { not: 'REMOVED' } },
    orderBy: [{ role: 'asc' }, { createdAt: 'asc' }, { id: 'asc' }],
    skip: (page - 1) * size,
    take: size,
    select: {
      id: true,
      name: true,
      email: true,
      personId: true,
      role: true,
      permissions: true,
      spaceRights: true,
      status: true,
      createdAt: true,
      lastSeenAt: true,
      invitationEndsAt: true,
    },
  });
  const blocked = await ctx.db.signInFailure.findMany({
    where: {
      email: { in: members.flatMap(({ email, personId }) => (personId === null ? [] : (email ?? []))) },
      failures: { gte: FAILURES_ALLOWED },
    },
    select: { email: true },
  });
  return members.map(({ spaceRights, personId: _, ...member }) => ({
    ...member,
    /** The Spaces given to a member; null: all. */
    spaces: member.role === 'FOUNDER' ? null : (spaceRights as SpaceRights | null),
    email: member.email ?? '',
    permissions: member.permissions as Permission[],
    signInBlocked: blocked.some(({ email }) => email === member.email),
  }));
}

export type MemberView = Awaited<ReturnType<typeof listMembers>>[number];

/** How many removed members a page lists. */
export const REMOVED_A_PAGE = 200;

const removedOf = (accountId: string) =>
  ({ accountId, status: 'REMOVED', name: { not: ERASED_NAME } }) as const;

/** How many members the account has, how many of its founders are active, and how many were removed whose name is kept. Errors: `forbidden`. */
export async function countMembers(
  ctx: Context<AccountActor>,
): Promise<{ all: number; founders: number; removed: number }> {
  if (!hasPermission(ctx.actor, 'members.manage')) throw new ServiceError('forbidden');
  const { accountId } = ctx.actor;
  const [all, founders, removed] = await Promise.all([
    ctx.db.member.count({ where: { accountId, status: { not: 'REMOVED' } } }),
    ctx.db.member.count({ where: { accountId, status: 'ACTIVE', role: 'FOUNDER' } }),
    ctx.db.member.count({ where: removedOf(accountId) }),
  ]);
  return { all, founders, removed };
}

/** Members who were removed and whose name is still kept, the latest first; one page of them, from 1. Errors: `forbidden`. */
export async function listRemovedMembers(
  ctx: Context<AccountActor>,
  { page = 1, size = REMOVED_A_PAGE }: { page?: number; size?: number } = {},
) {
  if (!hasPermission(ctx.actor, 'members.manage')) throw new ServiceError('forbidden');
  return ctx.db.member.findMany({
    where: removedOf(ctx.actor.accountId),
    orderBy: [{ updatedAt: 'desc' }, { id: 'desc' }],
    skip: (page - 1) * size,
    take: size,
    select: { id: true, name: true },
  });
}
