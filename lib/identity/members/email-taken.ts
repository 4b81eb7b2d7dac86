import { ServiceError } from '#lib/core/errors.ts';
import type { Transaction } from '#lib/db/types.ts';

const MESSAGE = 'Cette adresse est déjà celle d’un membre de ce compte, ou d’une invitation en cours.';

/** The refusal of an address that this account already has. Other accounts' addresses are never revealed. */
function emailTaken(): ServiceError {
  return new ServiceError('conflict', {
    message: MESSAGE,
    problems: [{ field: 'email', message: MESSAGE }],
  });
}

/** Errors: `conflict` when the account has the address already. */
export async function refuseTakenEmail(
  tx: Transaction,
  owner: { accountId: string; email: string },
): Promise<void> {
  const taken = await tx
    .selectFrom('Member')
    .select('id')
    .where('accountId', '=', owner.accountId)
    .where('email', '=', owner.email)
    .executeTakeFirst();
  if (taken) throw emailTaken();
}
