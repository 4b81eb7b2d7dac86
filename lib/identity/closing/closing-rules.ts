import { ServiceError } from '#lib/core/errors.ts';

/** How long a closed account can be reopened; then it is erased. */
export const CLOSING_DAYS = 30;

/** The instant from which the nightly job erases an account closed at `closedAt`. */
export function erasedFrom(closedAt: Date): Date {
  return new Date(closedAt.getTime() + CLOSING_DAYS * 86_400_000);
}

/** The refusal of every change in a closed account. */
export function accountClosed(): ServiceError {
  return new ServiceError('conflict', {
    detail: 'account-closed',
    message:
      'Ce compte est fermé\u00a0: il se lit et s’exporte, et plus rien n’y change. Un fondateur peut le rouvrir depuis la page Équipe.',
  });
}
