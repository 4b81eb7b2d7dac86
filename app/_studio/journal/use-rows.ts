'use client';
import { useCallback, useRef, useState } from 'react';
import { type Failure, failureOf } from '#app/_ui/api-error.ts';
import { STATUS_LABELS } from '#lib/studio/generation/status-labels.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { shortTitle, titleOf } from '../title.ts';
import { call, type JournalAnswer, type OnStopped } from './api.ts';
import { apiQuery, type JournalAddress } from './filters/query.ts';
import { useArrivals, withArrivals } from './use-arrivals.ts';
import { useLive } from './use-live.ts';

const PER_PAGE = 96;

/** A generation as the server returns it once its files are deleted. */
const withoutFiles = (row: GenerationView): GenerationView => ({
  ...row,
  status: 'deleted',
  label: STATUS_LABELS.deleted,
  message: null,
  files: [],
});

type Options = {
  filters: JournalAddress['filters'];
  /** Announces a generation whose status changed. */
  say: (words: string) => void;
  stopped: OnStopped;
};

/** The generations of the journal: running ones kept up to date, new ones added as they arrive, older ones read page by page. */
export function useRows(first: JournalAnswer, { filters, say, stopped }: Options) {
  const [rows, setRows] = useState(first.generations);
  const [cursor, setCursor] = useState(first.nextCursor);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [loading, setLoading] = useState(false);

  const apply = useCallback(
    (fresh: GenerationView[]) => {
      setRows((before) => {
        for (const row of fresh) {
          const old = before.find((one) => one.id === row.id);
          if (old && old.status !== row.status) say(`${shortTitle(titleOf(row))}\u00a0: ${row.label}`);
        }
        return before.map((row) => fresh.find((one) => one.id === row.id) ?? row);
      });
    },
    [say],
  );
  useLive(rows, apply, stopped);
  useArrivals(filters, (head) => setRows((before) => withArrivals(before, head)), stopped);

  const more = useCallback(async () => {
    if (!cursor || loading) return;
    setLoading(true);
    setFailure(null);
    try {
      const next = await call<JournalAnswer>(
        `/api/generations?${apiQuery(filters, { limit: String(PER_PAGE), cursor })}`,
      );
      setRows((before) => {
        const known = new Set(before.map((row) => row.id));
        return [...before, ...next.generations.filter((row) => !known.has(row.id))];
      });
      setCursor(next.nextCursor);
    } catch (error) {
      setFailure(failureOf(error, 'La suite n’a pas pu être lue.'));
    } finally {
      setLoading(false);
    }
  }, [filters, cursor, loading]);

  /** The generations before their files were deleted, which an undo shows again. */
  const whole = useRef(new Map<string, GenerationView>());
  /** Shows these generations as deleted. */
  const drop = (ids: readonly string[]) =>
    setRows((before) =>
      before.map((row) => {
        if (!ids.includes(row.id)) return row;
        whole.current.set(row.id, row);
        return withoutFiles(row);
      }),
    );
  /** Shows these generations as they were. What was deleted before the page was opened is read again. */
  const bringBack = (ids: readonly string[]) => {
    setRows((before) =>
      before.map((row) => (ids.includes(row.id) ? (whole.current.get(row.id) ?? row) : row)),
    );
    for (const id of ids) if (!whole.current.has(id)) void reread(id);
  };
  const reread = async (id: string) => {
    const row = await call<GenerationView>(`/api/generations/${id}`).catch(() => null);
    if (row) apply([row]);
  };

  return { rows, hasMore: cursor !== null, loading, failure, more, drop, bringBack };
}
