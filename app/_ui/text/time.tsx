'use client';
import { exactTime, relative } from '../format.ts';
import { useClock } from '../use-clock.ts';

/** A moment in relative words, exact on hover. `now` is the server's clock at render; afterwards the words keep up by themselves. */
export function Time({ at, now, className }: { at: Date | string; now: Date | string; className?: string }) {
  const moment = useClock(now);
  return (
    <time
      dateTime={new Date(at).toISOString()}
      data-tip={exactTime(at)}
      className={className ?? 'whitespace-nowrap'}
    >
      {relative(at, moment)}
    </time>
  );
}
