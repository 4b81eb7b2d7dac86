import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { transaction } from '#lib/db/transaction.ts';
import { isKeyInReach } from './key-reach.ts';

/**
 * Revokes a key of the account; the next request with it is refused. Revoking twice is harmless.
 * Errors: `not_found` for an unknown key, one of another account, or another member's unless the actor is a founder.
 */
export async function revokeKey(ctx: Context, input: { accountId: string; keyId: string }): Promise<void> {
  const now = ctx.clock.now();
  await transaction(ctx, async (tx) => {
    const key = await tx
      .selectFrom('DeveloperKey')
      .select('revokedAt')
      .where('id', '=', input.keyId)
      .where('accountId', '=', input.accountId)
      .where(isKeyInReach(ctx.actor))
      .forUpdate()
      .executeTakeFirst();
    if (!key) throw new ServiceError('not_found');
    if (key.revokedAt) return;
    await tx.updateTable('DeveloperKey').set({ revokedAt: now }).where('id', '=', input.keyId).execute();
    await recordAudits(tx, ctx, [
      {
        action: 'key.revoked',
        accountId: input.accountId,
        subject: { type: 'developerKey', id: input.keyId },
      },
    ]);
  });
}
