'use client';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { OnStopped } from '#app/_studio/journal/api.ts';
import { useLive } from '#app/_studio/journal/use-live.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import type { Sent } from '../sending/use-sending.ts';

const STRIP = 12;

/** What the tile shows: a request of this browser, or a single generation. `focus` is the generation shown alone, null if several are shown. */
export type Shown = { sent: Sent | null; rows: GenerationView[]; focus: GenerationView | null };

/**
 * The shown result and the latest ones. Sending shows the request that was sent. The address names the chosen generation, so that a reload or a link
 * shows it again; without one, the last request is shown. Running generations are kept up to date.
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
  // A generation read while an answer is awaited may belong to the awaited request, which has its place already. Listed
  // twice, it would shift the others once the answer arrives, under the finger that presses one.
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

  // The only generation of a request goes into the address, so that it can be shared and found again. A layout effect: a
  // later effect could replace a result that was chosen meanwhile.
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
    /** The requests without a known generation. */
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
    /** Shows all generations of the current request. */
    together: useCallback(() => {
      if (current) setPicked(current.key);
      show(null);
    }, [current, show]),
  };
}

export type Results = ReturnType<typeof useResults>;
