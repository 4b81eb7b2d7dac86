import type { Context } from '#lib/core/context.ts';
import type { Shown } from '#lib/core/input/shown-as.ts';
import type { Micros } from '#lib/core/money.ts';
import { transaction } from '#lib/db/transaction.ts';
import { putCeiling, requireCeiling } from '#lib/ledger/budget/set-ceiling.ts';
import { putStorageQuota, requireQuota } from './set-storage-quota.ts';

/**
 * Sets an account's monthly ceiling and its room in the file store, both or neither; null: none of its own; what is not given stays. Audited and refused as
 * `setCeiling` and `setStorageQuota`.
 */
export async function setAccountLimits(
  ctx: Context,
  input: {
    accountId: string;
    monthlyCeilingMicros?: Micros | null | undefined;
    bytes?: bigint | null | undefined;
    shown?: Shown | undefined;
  },
): Promise<void> {
  const { accountId, monthlyCeilingMicros, bytes, shown } = input;
  if (monthlyCeilingMicros !== undefined) requireCeiling(ctx, { monthlyCeilingMicros });
  if (bytes !== undefined) requireQuota(ctx, { bytes });
  await transaction(ctx, async (tx) => {
    if (monthlyCeilingMicros !== undefined)
      await putCeiling(tx, ctx, { accountId, monthlyCeilingMicros, shown });
    if (bytes !== undefined) await putStorageQuota(tx, ctx, { accountId, bytes, shown });
  });
}
