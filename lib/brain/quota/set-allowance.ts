import type { AdminActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { transaction } from '#lib/db/transaction.ts';
import { refuseAllowance } from '#lib/identity/accounts/refuse-allowance.ts';
import { requireAccount } from '#lib/ledger/budget/require-account.ts';

/**
 * Sets what an account has bought: its capacity in CU, or its contractual reads a month (null: capacity × 10).
 * Lowering the capacity below what is used deletes nothing; additions are refused until there is room. Errors: `invalid_request`, `not_found`,
 * `conflict` once the account is being erased.
 */
export async function setAllowance(
  ctx: Context<AdminActor>,
  input: { accountId: string; capacityCu?: number; contractualReads?: number | null },
) {
  for (const [field, value] of [
    ['capacityCu', input.capacityCu],
    ['contractualReads', input.contractualReads],
  ] as const)
    if (value !== undefined && value !== null) refuseAllowance(field, value);
  return transaction(ctx, async (tx) => {
    const account = await tx
      .updateTable('Account')
      .set({
        capacityCu: input.capacityCu,
        contractualReads: input.contractualReads,
        updatedAt: ctx.clock.now(),
      })
      .where('id', '=', input.accountId)
      .where('erasingAt', 'is', null)
      .returningAll()
      .executeTakeFirst();
    if (!account) {
      await requireAccount({ kysely: tx }, input.accountId);
      throw new ServiceError('not_found', { message: 'Ce compte est introuvable.' });
    }
    await recordAudits(tx, ctx, [
      {
        action: 'account.allowance_set',
        accountId: account.id,
        subject: { type: 'account', id: account.id },
        data: { capacityCu: account.capacityCu, contractualReads: account.contractualReads },
      },
    ]);
    return account;
  });
}
