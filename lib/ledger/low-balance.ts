import type { Micros } from '#lib/core/money.ts';

const DAY_MS = 86_400_000;
/** Fewer days than these, at the pace of the month, and the balance is told to be low. */
const WARN_DAYS = 7;
/** A month of which little has passed says nothing of a pace. */
const LEAST_DAYS = 3;

/**
 * For how many whole days what is available lasts, at the pace of the current UTC month; null when nothing was debited in it, or when it lasts longer than a week.
 * 0: what is left does not make a day.
 */
export function daysLeft(
  wallet: { availableMicros: Micros; monthSpentMicros: Micros },
  now: Date,
): number | null {
  if (wallet.monthSpentMicros <= 0n) return null;
  const begun = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
  const passedMs = BigInt(Math.max(LEAST_DAYS * DAY_MS, now.getTime() - begun));
  if (wallet.availableMicros <= 0n) return 0;
  const lastsMs = (wallet.availableMicros * passedMs) / wallet.monthSpentMicros;
  const days = Number(lastsMs / BigInt(DAY_MS));
  return days < WARN_DAYS ? days : null;
}
