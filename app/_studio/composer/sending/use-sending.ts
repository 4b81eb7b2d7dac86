'use client';
import { useCallback, useEffect, useRef, useState } from 'react';
import { post, readRow } from '#app/_studio/journal/api.ts';
import { useLive } from '#app/_studio/journal/use-live.ts';
import { ApiError, type ApiRefusal } from '#app/_ui/api-error.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { clearAnswered, keepUnanswered, unansweredKey } from './unanswered.ts';

/** One request that left the composer, and what became of it. */
export type Sent = {
  key: string;
  title: string;
  at: string;
  body: string;
  /** Its answer is awaited in this page. */
  flying: boolean;
  row: GenerationView | null;
  refusal: ApiRefusal | null;
};

/** By then the hold is written, if the request was accepted: the balance shown follows while a long answer is awaited. */
const HELD_MS = 1_500;

/** Answers given before the key is looked at: they do not say what became of an earlier press. */
const BEFORE_THE_KEY = [401, 403, 408, 429];

/** Whether an error leaves unknown what became of the request: no answer, or one that knows nothing of it. */
function isLost(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  const { status, refusal } = error;
  if (refusal.subject?.startsWith('gen_')) return false;
  return (
    status === 0 || BEFORE_THE_KEY.includes(status) || (status >= 500 && refusal.code === 'internal-error')
  );
}

/**
 * Sends requests, several at once if one wishes. While the answer to a body is awaited or lost, after a reload too, that body
 * goes under the same key: pressed twice, it is the same request. Rows that run are kept up to date; `onMoney` is told whenever
 * a row may have held, debited or given back.
 */
export function useSending(memberId: string, onMoney: () => void) {
  const [sent, setSent] = useState<Sent[]>([]);
  const flying = useRef(new Set<string>());
  const alive = useRef(true);
  const money = useRef(onMoney);
  money.current = onMoney;
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
  const tell = useCallback(() => {
    if (alive.current) money.current();
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
  const stand = rows.map((row) => `${row.id} ${row.charge} ${row.chargePending}`).join('|');
  useEffect(() => {
    if (stand) tell();
  }, [stand, tell]);

  const run = useCallback(
    async (key: string, body: string): Promise<ApiRefusal | null> => {
      // Two presses before the page is drawn again are one.
      if (flying.current.has(body)) return null;
      flying.current.add(body);
      update(key, { refusal: null, flying: true });
      keepUnanswered(memberId, { key, body, at: new Date().toISOString() });
      const held = setTimeout(tell, HELD_MS);
      try {
        const row = await post<GenerationView>('/api/generations', JSON.parse(body), {
          headers: { 'Idempotency-Key': key },
        });
        clearAnswered(memberId, key);
        update(key, { row });
        return null;
      } catch (error) {
        if (!isLost(error)) clearAnswered(memberId, key);
        const refusal: ApiRefusal =
          error instanceof ApiError
            ? error.refusal
            : { code: 'network', message: 'La réponse n’a pas pu être lue. Réessayez.' };
        update(key, { refusal });
        // A row exists when the ledger or the provider said no: it tells the story better than the refusal.
        if (refusal.subject?.startsWith('gen_')) {
          const row = await readRow(refusal.subject).catch(() => null);
          if (row) update(key, { row });
        }
        tell();
        return refusal;
      } finally {
        clearTimeout(held);
        flying.current.delete(body);
        update(key, { flying: false });
      }
    },
    [memberId, update, tell],
  );
  const send = useCallback(
    (request: Record<string, unknown>, title: string): Promise<ApiRefusal | null> => {
      const body = JSON.stringify(request);
      const key = unansweredKey(memberId, body) ?? crypto.randomUUID();
      if (!flying.current.has(body))
        setSent((before) => [
          { key, title, body, at: new Date().toISOString(), flying: true, row: null, refusal: null },
          ...before.filter((one) => one.key !== key),
        ]);
      return run(key, body);
    },
    [memberId, run],
  );
  const again = useCallback((one: Sent) => run(one.key, one.body), [run]);
  const dismiss = useCallback(
    (key: string) => setSent((before) => before.filter((one) => one.key !== key)),
    [],
  );
  return { sent, send, again, dismiss };
}
