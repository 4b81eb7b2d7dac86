'use client';
import { useRouter } from 'next/navigation';
import { useCallback, useRef, useState } from 'react';
import type { ApiError } from '#app/_ui/api-error.ts';
import { duration } from '#app/_ui/format.ts';
import { lazyPart } from '#app/_ui/lazy-part.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { useLive } from '../journal/use-live.ts';
import { useNow } from '../use-now.ts';
import { nextCloser } from '../words.ts';

const Stopped = lazyPart(() => import('../journal/stopped.tsx'));

/** Refreshes the page when its running generation changes, and announces the new status. */
export function LiveDetail({ row }: { row: GenerationView }) {
  const router = useRouter();
  const [said, setSaid] = useState('');
  const [stopped, setStopped] = useState<ApiError | null>(null);
  const seen = useRef('');
  const rows = [row];
  useLive(
    rows,
    useCallback(
      ([fresh]: GenerationView[]) => {
        if (!fresh) return;
        const state = `${fresh.status}:${fresh.chargePending}:${fresh.charge}`;
        if (state === `${row.status}:${row.chargePending}:${row.charge}` || state === seen.current) return;
        seen.current = state;
        setSaid(fresh.label);
        router.refresh();
      },
      [router, row],
    ),
    setStopped,
  );
  return (
    <>
      <p role="status" className="sr-only">
        {said}
      </p>
      {stopped ? <Stopped error={stopped} /> : null}
    </>
  );
}

/** The time elapsed, and what will close the generation next. */
export function Waiting({ row, now }: { row: GenerationView; now: string }) {
  const at = useNow(now, row.status === 'running');
  if (row.status !== 'running') return <>La prochaine relève clôt cette ligne.</>;
  return (
    <span className="tabular">
      depuis {duration(Math.max(1000, at - Date.parse(row.createdAt)))}, {nextCloser(row, at)}
    </span>
  );
}
