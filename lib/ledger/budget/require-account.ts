import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Transaction } from '#lib/db/transaction.ts';
import type { Executor } from '#lib/db/types.ts';

const accountOf = (on: Executor, accountId: string) =>
  on.selectFrom('Account').select(['erasingAt', 'erasedAt']).where('id', '=', accountId);

/** Throws `not_found` unless the account exists, and `conflict` once its erasure has begun: its figures are then final. */
export async function requireAccount({ kysely }: Pick<Context, 'kysely'>, accountId: string): Promise<void> {
  refuseErased(await accountOf(kysely, accountId).executeTakeFirst());
}

/** The same under a lock in the writing transaction: a concurrent nightly erasure waits, or was first. */
export async function requireAccountLocked(tx: Transaction, accountId: string): Promise<void> {
  refuseErased(await accountOf(tx, accountId).forShare().executeTakeFirst());
}

function refuseErased(account: { erasingAt: Date | null; erasedAt: Date | null } | undefined): void {
  if (!account) throw new ServiceError('not_found', { message: 'Ce compte est introuvable.' });
  if (!account.erasingAt) return;
  const what = account.erasedAt ? 'Ce compte est effacé' : 'L’effacement de ce compte a commencé';
  throw new ServiceError('conflict', {
    message: `${what}\u00a0: son crédit et ses limites ne changent plus.`,
  });
}
