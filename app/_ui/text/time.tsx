'use client';
import { useEffect, useState } from 'react';
import { exactTime, relative } from '../format.ts';

/**
 * A moment in relative words, exact on hover. `now` is the server's clock at render, so that the browser's first
 * render says the same words; afterwards it keeps up by itself.
 */
export function Time({ at, now, className }: { at: Date | string; now: Date | string; className?: string }) {
  const [moment, setMoment] = useState(now);
  const iso = new Date(at).toISOString();
  useEffect(() => {
    const tick = () => setMoment(new Date());
    tick();
    const timer = setInterval(tick, 30_000);
    return () => clearInterval(timer);
  }, []);
  return (
    <time dateTime={iso} data-tip={exactTime(at)} className={className ?? 'whitespace-nowrap'}>
      {relative(at, moment)}
    </time>
  );
}
