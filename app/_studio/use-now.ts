'use client';
import { useEffect, useState } from 'react';

/**
 * The clock of a running thing: the server's at first, so that both draw the same words, then the browser's, every
 * second; still when `running` is false.
 */
export function useNow(serverNow: string | Date, running: boolean): number {
  const [now, setNow] = useState(() => new Date(serverNow).getTime());
  useEffect(() => {
    if (!running) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}
