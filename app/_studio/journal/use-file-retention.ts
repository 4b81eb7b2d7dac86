'use client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { readRetention } from '#app/_studio/journal/actions.ts';
import { useRetries } from '#app/_studio/use-retries.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import type { ShownFileRetention } from './rows/retention-words.ts';

/**
 * How long the files of the listed generations are kept, read once for each generation, in batches. What could not be read is read again: without
 * it, nobody could judge a file.
 */
export function useFileRetention(rows: readonly GenerationView[], read = readRetention) {
  const [of, setOf] = useState<ReadonlyMap<string, ShownFileRetention>>(new Map());
  /** All files of each generation, in their order. */
  const [files, setFiles] = useState<ReadonlyMap<string, ShownFileRetention[]>>(new Map());
  const asked = useRef(new Set<string>());
  const [again, setAgain] = useState(0);
  const retries = useRetries(
    useCallback((ids: readonly string[]) => {
      for (const id of ids) asked.current.delete(id);
      setAgain((now) => now + 1);
    }, []),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: `again` reads again after a decision
  useEffect(() => {
    const wanted = rows
      .filter((row) => row.files.length > 0 && row.status === 'done' && !asked.current.has(row.id))
      .map((row) => row.id)
      .slice(0, 100);
    if (wanted.length === 0) return;
    for (const id of wanted) asked.current.add(id);
    const lose = () => retries.lost(wanted);
    void read({ generationIds: wanted })
      .then((answer) => {
        if (answer.status !== 'done' || !answer.data) return lose();
        retries.done();
        const fresh = answer.data;
        const filesOf = (id: string) => fresh.filter(({ generationId }) => generationId === id);
        const found = fresh.map(({ generationId: id }) => [id, filesOf(id)] as const);
        setFiles((before) => new Map([...before, ...found]));
        setOf((before) => {
          const next = new Map(before);
          // Of several files, one that expires stands for the generation rather than one that is kept.
          for (const file of fresh) {
            const known = next.get(file.generationId);
            const sooner = !known || !wanted.includes(file.generationId) || (known.lasting && !file.lasting);
            if (sooner || known?.id === file.id) next.set(file.generationId, file);
          }
          return next;
        });
        setAgain((now) => now + 1);
      })
      .catch(lose);
  }, [rows, again]);
  const refresh = useCallback((id: string) => {
    asked.current.delete(id);
    setAgain((now) => now + 1);
  }, []);
  const known = useRef(files);
  known.current = files;
  /**
   * Shows a decision before the server confirms it, on the files that allow it; it is no longer offered from then on, since a button that
   * goes with the answer moves its neighbours under the pointer. Returns a function that restores the former states.
   */
  const decide = useCallback((ids: readonly string[], review: 'approve' | 'reject') => {
    const former = [...known.current].filter(([id]) => ids.includes(id));
    setFiles(
      (before) =>
        new Map(
          [...before].map(([id, list]) =>
            ids.includes(id)
              ? [id, list.map((file) => (file.reviews.includes(review) ? decided(file, review) : file))]
              : [id, list],
          ),
        ),
    );
    return () => setFiles((before) => new Map([...before, ...former]));
  }, []);
  return { of, files, refresh, decide };
}

function decided(file: ShownFileRetention, review: 'approve' | 'reject'): ShownFileRetention {
  const state = review === 'approve' ? 'APPROVED' : 'REJECTED';
  return { ...file, state, reviews: file.reviews.filter((one) => one !== review) };
}
