import { recordAudit } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { keysInReach } from './key-reach.ts';

/**
 * Revokes a key of the account; the next request with it is refused. Revoking twice is harmless.
 * Errors: `not_found` for an unknown key, one of another account, or another member's unless the actor is a founder.
 */
export async function revokeKey(ctx: Context, input: { accountId: string; keyId: string }): Promise<void> {
  const now = ctx.clock.now();
  const key = { id: input.keyId, accountId: input.accountId, ...keysInReach(ctx.actor) };
  await ctx.db.$transaction(async (tx) => {
    const { count } = await tx.developerKey.updateMany({
      where: { ...key, revokedAt: null },
      data: { revokedAt: now },
    });
    if (count === 1) {
      await recordAudit(tx, ctx, {
        action: 'key.revoked',
        accountId: input.accountId,
        subject: { type: 'developerKey', id: input.keyId },
      });
      return;
    }
    const known = await tx.developerKey.count({ where: key });
    if (known === 0) throw new ServiceError('not_found');
  });
}
