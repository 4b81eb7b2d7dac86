import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Micros } from '#lib/core/money.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import { transaction } from '#lib/db/transaction.ts';
import { requireOperator } from '../access.ts';
import { isRaised } from '../caps.ts';
import { openBudget } from '../open-wallet.ts';
import { holdAccount, requireAccount } from './hold-account.ts';

/**
 * Sets an account's monthly ceiling over all its members: what is settled in a UTC month plus what is held (null: none). What is held
 * already stays held. The operator's founders and the shell; else `forbidden`. Other errors: `not_found`, `conflict` once the account is being erased, `invalid`, `verification_required` when it is raised. Audited
 * `account.ceiling_set` in that account.
 */
export async function setCeiling(
  ctx: Context,
  input: { accountId: string; monthlyCeilingMicros: Micros | null },
): Promise<void> {
  requireOperator(ctx);
  const { accountId, monthlyCeilingMicros } = input;
  if (monthlyCeilingMicros !== null && monthlyCeilingMicros < 0n)
    throw new ServiceError('invalid', {
      problems: [{ field: 'monthlyCeilingUsd', message: 'Un plafond ne peut pas être négatif.' }],
    });
  await requireAccount(ctx, accountId);
  await transaction(ctx, async (tx) => {
    await holdAccount(tx, accountId);
    await openBudget(tx, { accountId });
    const before = await tx
      .selectFrom('Budget')
      .select('monthlyCeilingMicros')
      .where('accountId', '=', accountId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow();
    if (isRaised(before.monthlyCeilingMicros, monthlyCeilingMicros)) requireRecentVerification(ctx);
    await tx.updateTable('Budget').set({ monthlyCeilingMicros }).where('accountId', '=', accountId).execute();
    await recordAudits(tx, ctx, [
      {
        action: 'account.ceiling_set',
        accountId,
        subject: { type: 'account', id: accountId },
        data: { monthlyCeilingMicros: monthlyCeilingMicros?.toString() ?? null },
      },
    ]);
  });
}
