import type { AccountActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { accountClosed } from '#lib/identity/closing/closing-rules.ts';

/** The refusal of a write whose account was closed in the meantime: in the words of a page for a member, of the API for a key or token. */
export function closedMeanwhile(actor: AccountActor): ServiceError {
  return actor.type === 'member' ? accountClosed() : new ServiceError('account_closed');
}

/** Whether something was refused because its account is closed. */
export function isClosedMeanwhile(error: unknown): boolean {
  if (!(error instanceof ServiceError)) return false;
  return error.code === 'account_closed' || error.options.detail === 'account-closed';
}
