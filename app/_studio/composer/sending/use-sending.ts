'use client';
import { useCallback, useEffect, useLayoutEffect, useReducer, useRef, useState } from 'react';
import { type OnStopped, readRow } from '#app/_studio/journal/api.ts';
import { useLive } from '#app/_studio/journal/use-live.ts';
import { ApiError, type ApiRefusal } from '#app/_ui/api-error.ts';
import { newKey } from '#app/_ui/new-key.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import {
  isClosed,
  type KeptRequest,
  keepRequest,
  readKept,
  unansweredOf,
  updateKept,
} from './kept-requests.ts';
import {
  ask,
  type Body,
  findAsked,
  isLost,
  isPaid,
  NEVER_ARRIVED,
  readBody,
  UNREADABLE,
} from './post-request.ts';

/** A request that was sent or waits to be sent, and its outcome. */
export type Sent = {
  key: string;
  title: string;
  at: string;
  body: string;
  /** The number of generations asked for. */
  variants: number;
  /** Whether this page awaits its answer. */
  flying: boolean;
  /** Whether it will be sent once the network is back. */
  waiting: boolean;
  rows: GenerationView[];
  refusal: ApiRefusal | null;
};

/** By then the amount of an accepted request is held: the balance is read again while a long answer is awaited. */
const HELD_MS = 1_500;
const POLL_EVERY_MS = 2_500;

const isWholeAndDone = (rows: readonly GenerationView[], body: string) =>
  rows.length === readBody(body).variants && rows.every(({ status }) => status === 'done');

const sentOf = (one: KeptRequest, rows: GenerationView[] = []): Sent => ({
  key: one.key,
  title: one.title,
  at: one.at,
  body: one.body,
  variants: readBody(one.body).variants,
  flying: false,
  waiting: one.state === 'waiting',
  rows,
  refusal: null,
});

/**
 * Sends requests, several at once if asked to. While the answer to a body is awaited or lost, even after a reload, the body keeps its key: sent
 * twice, it is one request. Without network it waits and is sent afterwards. Running generations are kept up to date; `revision` grows whenever one
 * may have held, debited or refunded an amount.
 */
export function useSending(memberId: string, known: readonly GenerationView[], stopped: OnStopped) {
  const [sent, setSent] = useState<Sent[]>([]);
  const [revision, bump] = useReducer((before: number) => before + 1, 0);
  /** By body, the key of the request whose answer is awaited. */
  const flying = useRef(new Map<string, string>());
  const latest = useRef({ sent, known });
  latest.current = { sent, known };
  const update = useCallback(
    (key: string, part: Partial<Sent>) =>
      setSent((before) => before.map((one) => (one.key === key ? { ...one, ...part } : one))),
    [],
  );
  const rows = sent.flatMap((one) => one.rows);
  useLive(
    rows,
    useCallback((fresh: GenerationView[]) => {
      setSent((before) =>
        before.map((one) => ({
          ...one,
          rows: one.rows.map((row) => fresh.find(({ id }) => id === row.id) ?? row),
        })),
      );
    }, []),
    stopped,
  );
  const stand = rows.map((row) => `${row.id} ${row.charge} ${row.chargePending}`).join('|');
  useEffect(() => {
    if (!stand) return;
    // A generation that failed since costs nothing: sending the request again is no second payment.
    for (const one of latest.current.sent)
      if (!one.flying && one.rows.length > 0) updateKept(memberId, one.key, { isPaid: isPaid(one.rows) });
    bump();
  }, [stand, memberId]);

  /** Records the generations of a request: from now on, the same body is another request. */
  const answered = useCallback(
    (key: string, found: GenerationView[]) => {
      updateKept(memberId, key, {
        state: 'answered',
        rows: found.map(({ id }) => id),
        isPaid: isPaid(found),
      });
      update(key, { rows: found, refusal: null });
    },
    [memberId, update],
  );

  const run = useCallback(
    async (key: string, body: string): Promise<ApiRefusal | null> => {
      // Two presses before the next render are one.
      if (flying.current.has(body)) return null;
      flying.current.set(body, key);
      update(key, { refusal: null, flying: true, waiting: false });
      updateKept(memberId, key, { state: 'lost' });
      const isFlying = () => flying.current.get(body) === key;
      let polling: ReturnType<typeof setTimeout> | undefined;
      const land = () => {
        clearTimeout(held);
        clearTimeout(polling);
        if (!isFlying()) return;
        flying.current.delete(body);
        update(key, { flying: false });
      };
      const poll = async () => {
        const found = await findAsked(key).catch(() => []);
        if (!isFlying()) return;
        if (isWholeAndDone(found, body)) {
          // The generations are complete and the answer may never come: the same body is another request from now on.
          answered(key, found);
          return land();
        }
        if (found.length > 0) update(key, { rows: found });
        polling = setTimeout(poll, POLL_EVERY_MS);
      };
      const held = setTimeout(() => {
        bump();
        void poll();
      }, HELD_MS);
      try {
        answered(key, await ask(key, readBody(body)));
        return null;
      } catch (error) {
        if (!isFlying()) return null;
        // Perhaps only the answer was lost: the key finds what the request made.
        const found = isLost(error) ? await findAsked(key).catch(() => []) : [];
        if (found.length > 0) {
          answered(key, found);
          return null;
        }
        const refusal: ApiRefusal = error instanceof ApiError ? error.refusal : UNREADABLE;
        update(key, { refusal });
        // The ledger or the provider refused, and the refusal names the generation, which says more.
        if (refusal.subject?.startsWith('gen_')) {
          // A refusal by the ledger does not use up the key.
          const state = /^(balance|cap)$/.test(refusal.code) ? 'closed' : 'answered';
          updateKept(memberId, key, { state, rows: [refusal.subject] });
          const row = await readRow(refusal.subject).catch(() => null);
          if (row) update(key, { rows: [row] });
        } else if (!isLost(error)) updateKept(memberId, key, { state: 'closed' });
        bump();
        return refusal;
      } finally {
        land();
      }
    },
    [memberId, update, answered],
  );

  // What was sent before this page was loaded: the last request, and those without an answer. A layout effect: a request
  // sent before a later effect would be listed twice.
  useLayoutEffect(() => {
    const kept = readKept(memberId);
    const shown = kept.filter((one, at) => (at === 0 && one.rows[0]) || /waiting|lost/.test(one.state));
    if (shown.length === 0) return;
    const rowsOf = (one: KeptRequest) =>
      one.rows.flatMap((id) => latest.current.known.find((row) => row.id === id) ?? []);
    setSent((before) => [...before, ...shown.map((one) => sentOf(one, rowsOf(one)))]);
    for (const one of shown) {
      if (one.state === 'waiting' || (one.rows.length > 0 && rowsOf(one).length === one.rows.length))
        continue;
      const made = one.rows.length > 0 ? Promise.all(one.rows.map((id) => readRow(id))) : findAsked(one.key);
      made.then(
        (found) => {
          if (flying.current.has(one.body)) return;
          if (found.length > 0) answered(one.key, found);
          else update(one.key, { refusal: NEVER_ARRIVED });
        },
        // Without an answer, the outcome is unknown.
        (error: unknown) =>
          update(one.key, { refusal: error instanceof ApiError ? error.refusal : UNREADABLE }),
      );
    }
  }, [memberId, answered, update]);

  /** Removes a request that waits or was refused; the generations of an answered one stay in the journal. */
  const dismiss = useCallback(
    (key: string) => {
      updateKept(memberId, key, { state: 'closed' });
      setSent((before) => before.filter((one) => one.key !== key));
    },
    [memberId],
  );

  // Once the network is back, waiting requests are sent and lost ones are looked up.
  useEffect(() => {
    const back = () => {
      for (const one of latest.current.sent) {
        // A request dismissed in another tab is not sent.
        if (one.waiting && isClosed(memberId, one.key)) dismiss(one.key);
        else if (one.waiting) void run(one.key, one.body);
        else if (one.refusal?.code === 'network' && one.rows.length === 0)
          findAsked(one.key).then(
            (found) => found.length > 0 && answered(one.key, found),
            () => {},
          );
      }
      bump();
    };
    window.addEventListener('online', back);
    return () => window.removeEventListener('online', back);
  }, [memberId, run, answered, dismiss]);

  const send = useCallback(
    (wanted: Body, title: string): { key: string; outcome: Promise<ApiRefusal | null> } => {
      const body = JSON.stringify(wanted);
      const former = unansweredOf(memberId, body);
      const key = former?.key ?? newKey();
      if (flying.current.has(body)) return { key, outcome: Promise.resolve(null) };
      const waits = !navigator.onLine;
      const at = new Date().toISOString();
      keepRequest(memberId, {
        key,
        body,
        title,
        at,
        rows: [],
        isPaid: false,
        state: waits && former?.state !== 'lost' ? 'waiting' : 'lost',
      });
      const { variants } = wanted;
      setSent((before) => [
        { key, title, body, at, variants, flying: !waits, waiting: waits, rows: [], refusal: null },
        ...before.filter((one) => one.key !== key),
      ]);
      return { key, outcome: waits ? Promise.resolve(null) : run(key, body) };
    },
    [memberId, run],
  );
  const again = useCallback((one: Sent) => run(one.key, one.body), [run]);
  return { sent, send, again, dismiss, revision };
}
