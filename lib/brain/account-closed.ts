import type { AccountActor, AdminActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Transaction } from '#lib/db/transaction.ts';
import { accountClosed } from '#lib/identity/closing/closing-rules.ts';

/**
 * The refusal of a write whose account was closed in the meantime: in the words of a page for a member and the shell, of the API for a key or
 * token.
 */
export function closedMeanwhile({ type }: AccountActor | AdminActor): ServiceError {
  return type === 'member' || type === 'admin' ? accountClosed() : new ServiceError('account_closed');
}

/** Whether something was refused because its account is closed. */
export function isClosedMeanwhile(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  return error.code === 'account_closed' || error.options.detail === 'account-closed';
}

/**
 * Refuses a write in an account that was closed (`closedMeanwhile`), and keeps it open until this transaction ends: a closing waits for it.
 * Asked after Memories and their Space are locked, before anything is written. `inTurn`: those who ask so also wait for each other, and count
 * exactly what the account has.
 */
export async function requireOpenAccount(
  tx: Transaction,
  actor: AccountActor | AdminActor,
  accountId: string,
  { inTurn = false }: { inTurn?: boolean } = {},
): Promise<void> {
  const row = tx.selectFrom('Account').select('closedAt').where('id', '=', accountId);
  const account = await (inTurn ? row.forNoKeyUpdate() : row.forKeyShare()).executeTakeFirst();
  if (account?.closedAt) throw closedMeanwhile(actor);
}
