import { useCallback, useEffect, useRef } from 'react';
import { readAhead, stampOf } from '../_memory/read-ahead.ts';
import type { RowIndex } from '../_tree/tree.ts';

/** In milliseconds. A pointer or focus that stays this long on a row will probably open it. */
const REST_MS = 60;

/** Loads in advance the Memory that is probably opened next, and the neighbours of the open one; none that is being deleted. */
export function useReadingAhead(
  index: RowIndex,
  beside: readonly (string | null)[],
  isLeaving: (id: string) => boolean,
) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef({ index, isLeaving });
  latest.current = { index, isLeaving };
  const near = useCallback((id: string | null) => {
    clearTimeout(timer.current);
    if (id === null) return;
    timer.current = setTimeout(() => {
      // It may have been deleted meanwhile.
      const { index, isLeaving } = latest.current;
      if (index.has(id) && !isLeaving(id)) readAhead(id, stampOf(index, id));
    }, REST_MS);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  const names = beside.join(' ');
  useEffect(() => {
    for (const id of names.split(' '))
      if (index.has(id) && !latest.current.isLeaving(id)) readAhead(id, stampOf(index, id));
  }, [names, index]);
  return near;
}
