'use client';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { readBinned } from './actions.ts';

/** Until when the deleted files of the listed generations are in the bin, read once for each generation, in batches. */
export function useBinned(rows: readonly GenerationView[]) {
  const [of, setOf] = useState<ReadonlyMap<string, string>>(new Map());
  const asked = useRef(new Set<string>());
  useEffect(() => {
    const wanted = rows
      .filter((row) => row.status === 'deleted' && !asked.current.has(row.id))
      .map((row) => row.id)
      .slice(0, 100);
    if (wanted.length === 0) return;
    for (const id of wanted) asked.current.add(id);
    void readBinned({ generationIds: wanted })
      .then((answer) => {
        if (answer.status !== 'done' || !answer.data) return;
        const fresh = answer.data.map((one) => [one.generationId, String(one.erasedAt)] as const);
        setOf((before) => new Map([...before, ...fresh]));
      })
      .catch(() => {
        for (const id of wanted) asked.current.delete(id);
      });
  }, [rows]);
  const forget = useCallback((id: string) => {
    asked.current.delete(id);
    setOf((before) => new Map([...before].filter(([one]) => one !== id)));
  }, []);
  return { of, forget };
}
