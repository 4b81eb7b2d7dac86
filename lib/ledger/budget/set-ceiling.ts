import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { requireAsShown } from '#lib/core/input/as-shown.ts';
import type { Shown } from '#lib/core/input/shown-as.ts';
import type { Micros } from '#lib/core/money.ts';
import { requireRecentVerification } from '#lib/core/recent-verification.ts';
import { type Transaction, transaction } from '#lib/db/transaction.ts';
import { requireOperator } from '../access.ts';
import { isRaised } from '../caps.ts';
import { openBudget } from '../open-wallet.ts';
import { requireAccount, requireAccountLocked } from './require-account.ts';

type CeilingInput = {
  accountId: string;
  monthlyCeilingMicros: Micros | null;
  /** By the form's name of it. */
  shown?: Shown | undefined;
};

/**
 * Sets an account's monthly ceiling over all its members: what is settled in a UTC month plus what is held (null: none). What is held
 * already stays held. The operator's founders and the shell; else `forbidden`. Other errors: `not_found`, `conflict` once the account is being erased or when it
 * is no longer as `shown`, `invalid`, `verification_required` when it is raised. Audited `account.ceiling_set` in that account.
 */
export async function setCeiling(ctx: Context, input: CeilingInput): Promise<void> {
  requireCeiling(ctx, input);
  await requireAccount(ctx, input.accountId);
  await transaction(ctx, (tx) => putCeiling(tx, ctx, input));
}

/** Throws `forbidden` unless the actor may set a ceiling, `invalid` for a negative one. */
export function requireCeiling(
  ctx: Context,
  { monthlyCeilingMicros }: Pick<CeilingInput, 'monthlyCeilingMicros'>,
): void {
  requireOperator(ctx);
  if (monthlyCeilingMicros !== null && monthlyCeilingMicros < 0n)
    throw new ServiceError('invalid', {
      problems: [{ field: 'monthlyCeilingUsd', message: 'Un plafond ne peut pas être négatif.' }],
    });
}

/** Writes a ceiling that `requireCeiling` let pass, within a transaction. Errors: `not_found`, `conflict`, `verification_required`. */
export async function putCeiling(tx: Transaction, ctx: Context, input: CeilingInput): Promise<void> {
  const { accountId, monthlyCeilingMicros } = input;
  await requireAccountLocked(tx, accountId);
  await openBudget(tx, { accountId });
  const before = await tx
    .selectFrom('Budget')
    .select('monthlyCeilingMicros')
    .where('accountId', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  requireAsShown(input.shown, {
    monthlyCeilingUsd: {
      what: 'Ce plafond a été changé',
      now: before.monthlyCeilingMicros,
      next: monthlyCeilingMicros,
    },
  });
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
}
