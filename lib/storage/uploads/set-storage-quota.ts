import { type Actor, hasPermission } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { transaction } from '#lib/db/transaction.ts';
import { holdAccount } from '#lib/ledger/budget/hold-account.ts';

/** A pebibyte: past it somebody typed bytes where gigabytes were asked. */
const MAX_QUOTA_BYTES = 1024n ** 5n;

/**
 * Sets what an account may store, in bytes; null: what everybody may. Lowering it below what is stored deletes nothing; files are
 * refused until there is room. The operator's founders and the shell; else `forbidden`. Other errors: `invalid_request`, `not_found`, `conflict`
 * once the account is being erased.
 */
export async function setStorageQuota(
  ctx: Context<Actor>,
  input: { accountId: string; bytes: bigint | null },
): Promise<void> {
  if (!hasPermission(ctx.actor, 'service.operate')) throw new ServiceError('forbidden');
  const { accountId, bytes } = input;
  if (bytes !== null && (bytes < 0n || bytes > MAX_QUOTA_BYTES))
    throw new ServiceError('invalid_request', {
      message: 'Le quota de fichiers est compris entre 0 et 1\u00a0048\u00a0576 Go.',
      problems: [{ field: 'bytes', message: 'Entre 0 et 1\u00a0048\u00a0576 Go.' }],
    });
  await transaction(ctx, async (tx) => {
    await holdAccount(tx, accountId);
    if (bytes === null) await tx.deleteFrom('StorageQuota').where('accountId', '=', accountId).execute();
    else {
      const set = { bytes, updatedAt: ctx.clock.now() };
      await tx
        .insertInto('StorageQuota')
        .values({ accountId, ...set })
        .onConflict((conflict) => conflict.column('accountId').doUpdateSet(set))
        .execute();
    }
    await recordAudits(tx, ctx, [
      {
        action: 'account.storage_set',
        accountId,
        subject: { type: 'account', id: accountId },
        data: { bytes: bytes === null ? null : String(bytes) },
      },
    ]);
  });
}
