import type { Context } from '#lib/core/context.ts';
import { keysInReach } from './key-reach.ts';

/** The account's keys (a member who is no founder: their own), newest first, without anything secret. At most 500. */
export async function listKeys(ctx: Context, input: { accountId: string }) {
  return ctx.db.developerKey.findMany({
    where: { accountId: input.accountId, ...keysInReach(ctx.actor) },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: 500,
    select: {
      id: true,
      name: true,
      prefix: true,
      scopes: true,
      createdAt: true,
      expiresAt: true,
      revokedAt: true,
      lastUsedAt: true,
      successorId: true,
      member: { select: { id: true, name: true } },
    },
  });
}
