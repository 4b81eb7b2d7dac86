'use client';
import { age, relative } from '../format.ts';
import { useClock } from '../use-clock.ts';

// What another machine wrote may be dated a little after our own clock: it has happened all the same.
const CLOCK_DIFFERENCE_MS = 120_000;

/** The last time that something happened, or that it never did. */
export function LastTime({ at, now }: { at: Date | string | null; now: Date | string }) {
  return at ? <Time at={at} now={now} /> : <span className="text-ink-faint">Jamais</span>;
}

/**
 * A moment in relative words; exact on hover, which the tooltip reads of its `dateTime`: a list does not write it for each row. `now`
 * is the server’s clock at render; afterwards the words keep up by themselves.
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
  /** « il y a 3 min », where the room is counted. */
  short?: boolean;
}) {
  const moment = useClock(now);
  const hasHappened = new Date(at).getTime() <= new Date(now).getTime() + CLOCK_DIFFERENCE_MS;
  return (
    <time
      dateTime={new Date(at).toISOString()}
      // The tooltip reckons it from the time itself: a page of fifty rows would write it fifty times.
      data-tip=""
      className={className ?? 'whitespace-nowrap'}
    >
      {hasHappened ? age(at, moment, short) : relative(at, moment, short)}
    </time>
  );
}
