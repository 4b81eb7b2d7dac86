import { useCallback, useEffect, useRef } from 'react';
import { readAhead, stampOf } from '../_memory/read-ahead.ts';
import type { RowIndex } from '../_tree/tree.ts';

/** A pointer or a focus that rests this long on a row is likely to open it; one that passes asks for nothing. */
const REST_MS = 60;

/** Reads the Memory that is about to be opened, and those beside the one that is open, so that they show at once. */
export function useReadingAhead(index: RowIndex, beside: readonly (string | null)[]) {
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const latest = useRef(index);
  latest.current = index;
  const near = useCallback((id: string | null) => {
    clearTimeout(timer.current);
    if (id === null) return;
    timer.current = setTimeout(() => {
      // Deleted meanwhile, it is not there to be read.
      if (latest.current.has(id)) readAhead(id, stampOf(latest.current, id));
    }, REST_MS);
  }, []);
  useEffect(() => () => clearTimeout(timer.current), []);
  const names = beside.join(' ');
  useEffect(() => {
    for (const id of names.split(' ')) if (index.has(id)) readAhead(id, stampOf(index, id));
  }, [names, index]);
  return near;
}
