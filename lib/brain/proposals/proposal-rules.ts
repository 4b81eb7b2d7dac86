import { ServiceError } from '#lib/core/errors.ts';

/** How long a proposal waits, and how long a refusal is remembered. */
export const PROPOSAL_DAYS = 30;
/** Proposals that wait at once: of one key or application, and of an account. */
export const MAX_WAITING_OF_PROPOSER = 20;
export const MAX_WAITING_OF_ACCOUNT = 200;
export const MAX_NOTE_LENGTH = 500;
export const MAX_REASON_LENGTH = 500;

/** The refusal of a proposal that is a stranger's, was decided, or expired. */
export function proposalNotFound(): ServiceError {
  return new ServiceError('not_found', {
    message: 'Cette proposition n’attend plus\u00a0: elle a été acceptée, refusée, ou elle a expiré.',
  });
}
