import { ServiceError } from '#lib/core/errors.ts';
import { utcMonth } from '#lib/ledger/month.ts';

/** Reads included for each CU of capacity, per UTC month. */
export const READS_PER_CU = 10;

/** Start of the next UTC month. */
export function nextMonth(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));
}

/** The parameters of `consumeRead`: the month and the day of now, UTC. */
export function readPeriodOf(now: Date): { month: string; day: string } {
  return { month: utcMonth(now), day: now.toISOString().slice(0, 10) };
}

const MONTH = new Intl.DateTimeFormat('fr-FR', { month: 'long', year: 'numeric', timeZone: 'UTC' });

/** The refusal at exhaustion, with the wait until the month turns. */
export function quotaExceeded(now: Date): ServiceError {
  const resetsAt = nextMonth(now);
  return new ServiceError('quota_exceeded', {
    // It is always the first of a month, which Intl writes « 1 » and French « 1er ».
    params: { resetsAt: `1er ${MONTH.format(resetsAt)} à 0\u00a0h UTC` },
    retryAfterSeconds: Math.ceil((resetsAt.getTime() - now.getTime()) / 1000),
  });
}
