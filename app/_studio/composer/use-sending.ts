'use client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, type ApiRefusal } from '#app/_cockpit/api-error.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { post, readRow } from '../journal/api.ts';
import { useLive } from '../journal/use-live.ts';

/** One request that left the composer, and what became of it. */
export type Sent = {
  key: string;
  title: string;
  at: string;
  request: Record<string, unknown>;
  row: GenerationView | null;
  refusal: ApiRefusal | null;
};

/**
 * Sends requests, several at once if one wishes, each under a key of its own: sent again after a lost answer, it is the same
 * request. Rows that run are kept up to date.
 */
export function useSending() {
  const [sent, setSent] = useState<Sent[]>([]);
  const alive = useRef(true);
  useEffect(() => {
    alive.current = true;
    return () => {
      alive.current = false;
    };
  }, []);
  const update = useCallback((key: string, part: Partial<Sent>) => {
    if (alive.current)
      setSent((before) => before.map((one) => (one.key === key ? { ...one, ...part } : one)));
  }, []);
  const rows = sent.flatMap((one) => one.row ?? []);
  useLive(
    rows,
    useCallback((fresh: GenerationView[]) => {
      setSent((before) =>
        before.map((one) => ({ ...one, row: fresh.find((row) => row.id === one.row?.id) ?? one.row })),
      );
    }, []),
  );

  const run = useCallback(
    async (key: string, request: Record<string, unknown>): Promise<ApiRefusal | null> => {
      try {
        const row = await post<GenerationView>('/api/generations', request, {
          headers: { 'Idempotency-Key': key },
        });
        update(key, { row, refusal: null });
        return null;
      } catch (error) {
        const refusal: ApiRefusal =
          error instanceof ApiError
            ? error.refusal
            : { code: 'internal-error', message: 'La demande n’a pas abouti : rien n’a été débité.' };
        update(key, { refusal });
        // A row exists when the ledger or the provider said no: it tells the story better than the refusal.
        if (refusal.subject?.startsWith('gen_')) {
          const row = await readRow(refusal.subject).catch(() => null);
          if (row) update(key, { row });
        }
        return refusal;
      }
    },
    [update],
  );
  const send = useCallback(
    (request: Record<string, unknown>, title: string): Promise<ApiRefusal | null> => {
      const key = crypto.randomUUID();
      setSent((before) => [
        { key, title, request, at: new Date().toISOString(), row: null, refusal: null },
        ...before,
      ]);
      return run(key, request);
    },
    [run],
  );
  const again = useCallback(
    (one: Sent) => {
      update(one.key, { refusal: null });
      return run(one.key, one.request);
    },
    [run, update],
  );
  const dismiss = useCallback(
    (key: string) => setSent((before) => before.filter((one) => one.key !== key)),
    [],
  );
  return { sent, send, again, dismiss };
}
