'use client';
import { age, relative } from '../format.ts';
import { useClock } from '../use-clock.ts';

// An event recorded by another machine may be dated slightly after our own clock, and has happened all the same.
const CLOCK_DIFFERENCE_MS = 120_000;

/** The last time that something happened, or « Jamais ». */
export function LastTime({ at, now }: { at: Date | string | null; now: Date | string }) {
  return at ? <Time at={at} now={now} /> : <span className="text-ink-faint">Jamais</span>;
}

/**
 * A time in relative words. The tooltip computes the exact time from `dateTime`, so that a list does not contain it for each row. `now` is the
 * server's clock at render; afterwards the words follow the browser's clock.
 */
export function Time({
  at,
  now,
  className,
  short = false,
}: {
  at: Date | string;
  now: Date | string;
  className?: string;
  /** « il y a 3 min », where there is little room. */
  short?: boolean;
}) {
  const moment = useClock(now);
  const hasHappened = new Date(at).getTime() <= new Date(now).getTime() + CLOCK_DIFFERENCE_MS;
  return (
    <time
      dateTime={new Date(at).toISOString()}
      // Empty: the tooltip computes the exact time from the element, instead of each of fifty rows containing it.
      data-tip=""
      className={className ?? 'whitespace-nowrap'}
    >
      {hasHappened ? age(at, moment, short) : relative(at, moment, short)}
    </time>
  );
}
