import { ServiceError } from '#lib/core/errors.ts';
import { utcMonth } from '#lib/ledger/month.ts';

/** Reads included for each CU of capacity, per UTC month. */
export const READS_PER_CU = 10;

/** The `detail` of a `quota_exceeded` of an account that includes no read in any month. */
export const NONE_INCLUDED = 'none-included';

/** Start of the next UTC month. */
export function nextMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}

/** The parameters of `consumeRead`: the month and the day of now, UTC. */
export function readPeriodOf(now: Date): { month: string; day: string } {
  return { month: utcMonth(now), day: now.toISOString().slice(0, 10) };
}

const MONTH = new Intl.DateTimeFormat('fr-FR', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/**
 * The refusal of a read past the `limit` that the month includes, with the wait until it turns. Where none is included it says so (`detail`:
 * `none-included`) and names no date: no month brings any.
 */
export function quotaExceeded(now: Date, limit: number): ServiceError {
  const resetsAt = nextMonth(now);
  const retryAfterSeconds = Math.ceil((resetsAt.getTime() - now.getTime()) / 1000);
  if (limit === 0)
    return new ServiceError('quota_exceeded', {
      detail: NONE_INCLUDED,
      message: 'Aucune lecture n’est comprise dans ce compte\u00a0: demandez-en à l’exploitant du service.',
      retryAfterSeconds,
    });
  return new ServiceError('quota_exceeded', {
    // It is always the first of a month, which Intl writes « 1 » and French « 1er ».
    params: { resetsAt: `1er ${MONTH.format(resetsAt)} à 0\u00a0h UTC` },
    retryAfterSeconds,
  });
}
