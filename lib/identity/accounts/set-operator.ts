import { sql } from 'kysely';
import type { AdminActor } from '#lib/core/actor.ts';
import { recordAudits } from '#lib/core/audit.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { transaction } from '#lib/db/transaction.ts';
import type { Transaction } from '#lib/db/types.ts';

/** Makes transactions that change the operator's account wait for each other. */
export async function lockOperator(tx: Transaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('operator', 0))`.execute(tx);
}

/**
 * Makes an account the operator's, instead of the former one: from their next request, its founders see the whole service and can give credit
 * to any account. From the shell only. Naming the operator's own account is harmless. Errors: `not_found`, `conflict` for a closed one.
 */
export async function setOperator(ctx: Context<AdminActor>, input: { accountId: string }): Promise<void> {
  const { accountId } = input;
  await transaction(ctx, async (tx) => {
    await lockOperator(tx);
    const accounts = await tx
      .selectFrom('Account')
      .select(['id', 'isOperator', 'closedAt'])
      .where((eb) => eb.or([eb('id', '=', accountId), eb('isOperator', '=', true)]))
      .orderBy('id')
      // A concurrent closing waits, then sees which account is the operator's, which is never closed.
      .forNoKeyUpdate()
      .execute();
    const chosen = accounts.find(({ id }) => id === accountId);
    if (!chosen) throw new ServiceError('not_found', { message: 'Ce compte est introuvable.' });
    if (chosen.isOperator) return;
    if (chosen.closedAt)
      throw new ServiceError('conflict', { message: 'Ce compte est fermé\u00a0: rouvrez-le d’abord.' });
    const before = accounts.filter(({ isOperator }) => isOperator).map(({ id }) => id);
    for (const id of before)
      await tx.updateTable('Account').set({ isOperator: false }).where('id', '=', id).execute();
    await tx.updateTable('Account').set({ isOperator: true }).where('id', '=', accountId).execute();
    await recordAudits(tx, ctx, [
      ...[accountId, ...before].map((id) => ({
        action: 'account.operator_set' as const,
        accountId: id,
        subject: { type: 'account' as const, id },
        data: { operator: id === accountId },
      })),
    ]);
  });
}
