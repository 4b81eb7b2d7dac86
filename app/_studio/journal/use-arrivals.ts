'use client';
import { useEffect, useRef } from 'react';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { call, isOut, type JournalAnswer, type OnStopped } from './api.ts';
import { apiQuery, type JournalAddress } from './filters/query.ts';

const EVERY_MS = 10_000;
const SLOWEST_MS = 60_000;

/** `rows` with the generations of `head` that they lack, sorted by the time of the request: one that was listed late is not newer than the others. */
export function withArrivals(rows: GenerationView[], head: readonly GenerationView[]): GenerationView[] {
  const known = new Set(rows.map(({ id }) => id));
  const fresh = head.filter(({ id }) => !known.has(id));
  const place = (row: GenerationView) => row.createdAt + row.id;
  return fresh.length > 0 ? [...fresh, ...rows].sort((a, b) => (place(a) < place(b) ? 1 : -1)) : rows;
}

/**
 * Reads the head of the list again and again, so that new generations arrive without a reload: every ten seconds, less often while there is nothing
 * new, at once when the page becomes visible, and never while it is hidden. Without a session or a permission it stops, says so, and tries once each
 * time the page becomes visible.
 */
export function useArrivals(
  filters: JournalAddress['filters'],
  arrived: (rows: GenerationView[]) => void,
  stopped: OnStopped,
): void {
  const latest = useRef({ arrived, stopped });
  latest.current = { arrived, stopped };
  const query = apiQuery(filters, { limit: '24' });
  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout>;
    let delay = EVERY_MS;
    let newest = '';
    let polls = 0;
    const poll = async () => {
      clearTimeout(timer);
      if (document.hidden) return;
      polls += 1;
      const own = polls;
      const head = await call<JournalAnswer>(`/api/generations?${query}`, { signal: stop.signal }).catch(
        (error: unknown) => (isOut(error) ? error : null),
      );
      if (stop.signal.aborted) return;
      if (isOut(head)) return latest.current.stopped(head);
      // Asked for before the last one, which says whether the page may go on, and when it asks again.
      if (own !== polls) return;
      const first = head?.generations[0]?.id ?? newest;
      delay = first === newest ? Math.min(SLOWEST_MS, delay * 1.25) : EVERY_MS;
      newest = first;
      if (head) {
        latest.current.stopped(null);
        latest.current.arrived(head.generations);
      }
      timer = setTimeout(poll, delay);
    };
    const shown = () => {
      delay = EVERY_MS;
      void poll();
    };
    document.addEventListener('visibilitychange', shown);
    timer = setTimeout(poll, delay);
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', shown);
    };
  }, [query]);
}
