'use client';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { OnStopped } from '#app/_studio/journal/api.ts';
import { useLive } from '#app/_studio/journal/use-live.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import type { Sent } from '../sending/use-sending.ts';

const STRIP = 12;

/** What the large tile shows: a request of this browser, or a row by itself; of several generations, the one that is looked at. */
export type Shown = { sent: Sent | null; rows: GenerationView[]; focus: GenerationView | null };

/**
 * Which result is looked at, and the last ones beside it. A press shows its own request; the address names a row that was chosen, so that
 * a reload or a link shows it again; else it is the last request. Rows that run are kept up to date.
 */
export function useResults(
  sent: readonly Sent[],
  recent: readonly GenerationView[],
  address: { shown: string | null; show: (id: string | null) => void },
  stopped: OnStopped,
) {
  const { shown, show } = address;
  const [picked, setPicked] = useState<string | null>(null);
  const [fresh, setFresh] = useState<ReadonlyMap<string, GenerationView>>(new Map());
  // A row that a reading brings while an answer is awaited may be its own, which has its place: one that were there twice would
  // shift all others once the answer is there, under the finger that presses one.
  const isAwaiting = sent.some((one) => one.flying && one.rows.length === 0);
  const listed = useRef(recent);
  if (!isAwaiting) listed.current = recent;
  const before = listed.current;
  const others = useMemo(
    () =>
      recent
        .filter((row) => row.id === shown || before.some(({ id }) => id === row.id))
        .map((row) => (row.status === 'running' || row.chargePending ? (fresh.get(row.id) ?? row) : row)),
    [recent, before, fresh, shown],
  );
  useLive(
    others.filter((row) => !sent.some(({ rows }) => rows.some(({ id }) => id === row.id))),
    useCallback(
      (read: GenerationView[]) =>
        setFresh((before) => new Map([...before, ...read.map((row) => [row.id, row] as const)])),
      [],
    ),
    stopped,
  );

  const named = shown ? sent.find(({ rows }) => rows.some(({ id }) => id === shown)) : undefined;
  const lone = shown && !named ? others.find(({ id }) => id === shown) : undefined;
  const current = sent.find(({ key }) => key === picked) ?? named ?? (lone ? undefined : sent[0]) ?? null;
  const rows = current?.rows ?? (lone ? [lone] : []);
  const only = rows.length === 1 && (current === null || current.variants === 1) ? rows[0] : undefined;
  const focus = rows.find(({ id }) => id === shown) ?? only ?? null;

  // The one generation of the request at hand is put in the address: what is looked at can be shared, and found again. At once: as an effect
  // that follows, it would come after a press on another result that the same drawing shows, and take its place.
  const arrived = picked !== null && current?.key === picked && !current.flying ? only?.id : undefined;
  useLayoutEffect(() => {
    if (arrived && arrived !== shown) show(arrived);
  }, [arrived, shown, show]);

  const strip = useMemo(() => {
    const all = new Map<string, GenerationView>();
    for (const row of [...sent.flatMap((one) => one.rows), ...others])
      if (!all.has(row.id)) all.set(row.id, row);
    return [...all.values()]
      .sort((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0))
      .slice(0, STRIP);
  }, [sent, others]);

  return {
    now: { sent: current, rows, focus } satisfies Shown,
    strip,
    /** Requests of which no row is known yet. */
    awaited: sent.filter((one) => one.rows.length === 0),
    follow: useCallback(
      (key: string) => {
        setPicked(key);
        show(null);
      },
      [show],
    ),
    choose: useCallback(
      (id: string) => {
        setPicked(null);
        show(id);
      },
      [show],
    ),
    /** All generations of the request at hand, side by side. */
    together: useCallback(() => {
      if (current) setPicked(current.key);
      show(null);
    }, [current, show]),
  };
}

export type Results = ReturnType<typeof useResults>;
