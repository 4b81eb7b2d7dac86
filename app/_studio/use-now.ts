'use client';
import { useEffect, useState } from 'react';

/**
 * The current time in milliseconds for something that runs: the server's during hydration, so that both render the same words, then the browser's,
 * every second. Stopped while `running` is false.
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
