'use client';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { pollEvery } from '#app/_ui/poll-every.ts';

const FIRST_MS = 5_000;
const SLOWEST_MS = 60_000;

/**
 * Calls `again` with what a reading `lost`, until one is `done`: after five seconds, less often at each further loss, at once when the page becomes
 * visible, and never while it is hidden.
 */
export function useRetries(again: (ids: readonly string[]) => void) {
  /** The readings lost in a row. */
  const [losses, setLosses] = useState(0);
  const waiting = useRef<string[]>([]);
  useEffect(() => {
    if (losses === 0) return;
    return pollEvery(Math.min(SLOWEST_MS, FIRST_MS * 2 ** (losses - 1)), () => {
      if (waiting.current.length > 0) again(waiting.current.splice(0));
    });
  }, [losses, again]);
  const lost = useCallback((ids: readonly string[]) => {
    waiting.current.push(...ids);
    setLosses((before) => before + 1);
  }, []);
  // Another reading may still be lost.
  const done = useCallback(() => setLosses(waiting.current.length > 0 ? 1 : 0), []);
  return useMemo(() => ({ lost, done }), [lost, done]);
}
