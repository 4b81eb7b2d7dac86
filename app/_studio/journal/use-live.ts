'use client';
import { useEffect, useRef } from 'react';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { isOut, type OnStopped, readRow } from './api.ts';

const FIRST_MS = 2_000;
const SLOWEST_MS = 15_000;
/** How many generations are read in each round; the others follow in turn. */
const TOGETHER = 6;

/**
 * Keeps running generations up to date by reading them, which also closes a finished video: every two seconds at first, less often while nothing
 * changes, not while the page is hidden. Without a session or a permission it stops until the page becomes visible again.
 */
export function useLive(
  rows: readonly GenerationView[],
  apply: (rows: GenerationView[]) => void,
  stopped?: OnStopped,
): void {
  const latest = useRef({ rows, apply, stopped });
  latest.current = { rows, apply, stopped };
  const running = rows.some((row) => row.status === 'running' || row.chargePending);

  useEffect(() => {
    if (!running) return;
    const stop = new AbortController();
    let delay = FIRST_MS;
    let turn = 0;
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(round, delay);
    };
    const round = async () => {
      if (document.hidden) return;
      const open = latest.current.rows.filter((row) => row.status === 'running' || row.chargePending);
      const start = open.length > TOGETHER ? turn % open.length : 0;
      turn += TOGETHER;
      const batch = [...open.slice(start), ...open.slice(0, start)].slice(0, TOGETHER);
      const answers = await Promise.allSettled(batch.map((row) => readRow(row.id, stop.signal)));
      if (stop.signal.aborted) return;
      const fresh = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
      const moved = fresh.some((row) => {
        const old = batch.find((one) => one.id === row.id);
        return old?.status !== row.status || old.chargePending !== row.chargePending;
      });
      const out = answers.map((answer) => (answer.status === 'rejected' ? answer.reason : null)).find(isOut);
      if (out) {
        latest.current.stopped?.(out);
        return;
      }
      delay = moved ? FIRST_MS : Math.min(SLOWEST_MS, delay * 1.4);
      if (fresh.length > 0) {
        latest.current.stopped?.(null);
        latest.current.apply(fresh);
      }
      wait();
    };
    const shown = () => {
      if (document.hidden) return;
      delay = FIRST_MS;
      wait();
    };
    document.addEventListener('visibilitychange', shown);
    wait();
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', shown);
    };
  }, [running]);
}
