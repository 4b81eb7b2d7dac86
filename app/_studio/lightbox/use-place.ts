'use client';
import { useEffect, useRef, useState } from 'react';
import { type Neighbours, type Place, placeBeside, type Shown } from './shown.ts';

const NO_NEIGHBOURS: Neighbours = { newer: null, older: null };

/** Preloads the image that the next press shows. */
function warm(row: Shown | null, file: number): void {
  const next = row?.files.at(file);
  if (next?.contentType.startsWith('image/')) new Image().src = next.url;
}

/**
 * The file that is shown, and the ways to the next one. `beside` reads the generations before and after one. `left` is called before another file is
 * shown.
 */
export function usePlace(first: Place, beside: (of: Shown) => Promise<Neighbours>, left: () => void) {
  const [place, setPlace] = useState(first);
  const [around, setAround] = useState<{ of: string; rows: Neighbours }>({ of: '', rows: NO_NEIGHBOURS });
  const { row } = place;
  const rows = around.of === row.id ? around.rows : NO_NEIGHBOURS;

  const ask = useRef(beside);
  ask.current = beside;
  useEffect(() => {
    let isGone = false;
    void ask.current(row).then((found) => {
      if (isGone) return;
      setAround({ of: row.id, rows: found });
      warm(found.older, 0);
      warm(found.newer, -1);
    });
    return () => {
      isGone = true;
    };
  }, [row]);

  const go = (next: Place | null) => {
    if (!next) return;
    left();
    setPlace(next);
  };
  const to = (forward: boolean) => placeBeside(place, rows, forward);
  return {
    place,
    /** Whether there is a file in this direction. */
    leads: (forward: boolean) => to(forward) !== null,
    /** Shows the next file, of this generation or of its neighbour. */
    turn: (forward: boolean) => go(to(forward)),
    /** Shows the first file of the next generation. */
    skip: (forward: boolean) => {
      const other = forward ? rows.older : rows.newer;
      go(other && { row: other, file: 0 });
    },
  };
}
