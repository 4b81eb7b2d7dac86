import { type Expression, sql } from 'kysely';
import type { Micros } from '#lib/core/money.ts';
import { spentIn } from './lines.ts';

const DAY_MS = 86_400_000;
/** A balance is low when it lasts fewer days than this, at the month's rate of spending. */
const WARN_DAYS = 7;
/** At the start of a month too little time has passed to measure a rate of spending: at least this much is counted. */
const MIN_DAYS = 3;

/**
 * For how many whole days what is available lasts, at the pace of the current UTC month; null when nothing was debited in it, or when it lasts
 * a week or longer. 0: less than a day.
 */
export function daysLeft(
  wallet: { availableMicros: Micros; monthSpentMicros: Micros },
  now: Date,
): number | null {
  if (wallet.monthSpentMicros <= 0n) return null;
  if (wallet.availableMicros <= 0n) return 0;
  const lastsMs = (wallet.availableMicros * paceMs(now)) / wallet.monthSpentMicros;
  const days = Number(lastsMs / BigInt(DAY_MS));
  return days < WARN_DAYS ? days : null;
}

/** The time that the pace of the current UTC month is measured over, in milliseconds. */
export function paceMs(now: Date): bigint {
  const begun = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
  return BigInt(Math.max(MIN_DAYS * DAY_MS, now.getTime() - begun));
}

/**
 * The same rule in a statement, of a row of `Wallet` (or of its alias) that has `addedMicros` more: true where `daysLeft` would be a number.
 * Products of amounts and milliseconds are `numeric`: those of a large balance are beyond a bigint.
 */
export function isLow(
  wallet: 'Wallet' | 'w',
  p: { month: Expression<string>; paceMs: Expression<bigint>; addedMicros?: Expression<bigint> },
) {
  const ref = (column: string) => sql.ref(`${wallet}.${column}`);
  const spent = spentIn(p.month, wallet);
  const added = p.addedMicros ?? sql.lit(0);
  const limitMs = sql.lit(WARN_DAYS * DAY_MS);
  return sql<boolean>`((${spent}) > 0 and (${ref('balanceMicros')} - ${ref('heldMicros')} + ${added})::numeric * ${p.paceMs}::bigint < (${spent})::numeric * ${limitMs})`;
}
