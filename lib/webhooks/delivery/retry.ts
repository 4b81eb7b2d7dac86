import { retryAfterMs } from '#lib/providers/transport-status.ts';
import { FAILURES_TO_REST } from '../limits.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Waits after the first, second… attempt; the last one goes on. */
const WAITS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
] as const;
const LONGEST_REST_MS = 15 * MINUTE_MS;
/** A subscriber may ask for this much rest at once, and ask again. */
const LONGEST_ASKED_MS = HOUR_MS;

/** A fifth more or less, so that what failed together does not come back together. */
const spread = (waitMs: number, chance: number) => waitMs * (0.8 + 0.4 * chance);

/** When an event is sent again after its `attempts`th attempt failed, the last time at its end; null: never. */
export function nextAttempt(input: {
  attempts: number;
  now: Date;
  endsAt: Date;
  chance: number;
}): Date | null {
  const { attempts, now, endsAt, chance } = input;
  if (now >= endsAt) return null;
  const waitMs = WAITS_MS[Math.min(attempts, WAITS_MS.length) - 1] ?? WAITS_MS[0];
  return new Date(Math.min(now.getTime() + spread(waitMs, chance), endsAt.getTime()));
}

/** Until when a subscriber that has too much to do (429, 503) asks to be left alone, an hour at most; null: it asks nothing. */
export function askedUntil(input: {
  status: number;
  retryAfter: string | undefined;
  now: Date;
}): Date | null {
  const { status, retryAfter, now } = input;
  if ((status !== 429 && status !== 503) || retryAfter === undefined) return null;
  const waitMs = retryAfterMs(retryAfter, now.getTime());
  return waitMs === undefined ? null : new Date(now.getTime() + Math.min(waitMs, LONGEST_ASKED_MS));
}

/** Until when an endpoint that failed `failures` times in a row is left alone; null: not at all. */
export function restUntil(input: { failures: number; now: Date; chance: number }): Date | null {
  const over = input.failures - FAILURES_TO_REST;
  if (over < 0) return null;
  const waitMs = Math.min(5 * SECOND_MS * 2 ** Math.min(over, 20), LONGEST_REST_MS);
  return new Date(input.now.getTime() + spread(waitMs, input.chance));
}
