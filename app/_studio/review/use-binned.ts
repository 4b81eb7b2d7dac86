'use client';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { useRetries } from '../use-retries.ts';
import { readBinned } from './actions.ts';

/**
 * Until when the deleted files of the listed generations are in the bin, read once for each generation, in batches. What could not be read is read
 * again: without it, nobody could restore the files from the list.
 */
export function useBinned(rows: readonly GenerationView[], read = readBinned) {
  const [of, setOf] = useState<ReadonlyMap<string, string>>(new Map());
  const asked = useRef(new Set<string>());
  const [again, setAgain] = useState(0);
  const retries = useRetries(
    useCallback((ids: readonly string[]) => {
      for (const id of ids) asked.current.delete(id);
      setAgain((now) => now + 1);
    }, []),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` reads again what could not be read
  useEffect(() => {
    const wanted = rows
      .filter((row) => row.status === 'deleted' && !asked.current.has(row.id))
      .map((row) => row.id)
      .slice(0, 100);
    if (wanted.length === 0) return;
    for (const id of wanted) asked.current.add(id);
    const lose = () => retries.lost(wanted);
    void read({ generationIds: wanted })
      .then((answer) => {
        if (answer.status !== 'done' || !answer.data) return lose();
        retries.done();
        const fresh = answer.data.map((one) => [one.generationId, String(one.erasedAt)] as const);
        setOf((before) => new Map([...before, ...fresh]));
      })
      .catch(lose);
  }, [rows, again]);
  const forget = useCallback((id: string) => {
    asked.current.delete(id);
    setOf((before) => new Map([...before].filter(([one]) => one !== id)));
  }, []);
  return { of, forget };
}
