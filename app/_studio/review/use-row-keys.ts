'use client';
import { useEffect, useRef } from 'react';
import { isTyping } from '#app/_ui/typing.ts';

type Verb = (generationId: string) => void;
type Keys = {
  /** The rows that are shown, in their order. */
  ids: readonly string[];
  choose: Verb;
  /** Shows the row on the whole screen. */
  show: Verb;
  /** Absent: the member decides nothing. */
  decide?: { approve: Verb; reject: Verb; undo: () => void };
  /** The last row was reached, or the first. */
  ended: (last: boolean) => void;
};

const place = (id: string) => document.querySelector<HTMLElement>(`[data-generation="${CSS.escape(id)}"]`);
/** The row that has the focus, if any. */
const focused = () =>
  document.activeElement?.closest<HTMLElement>('[data-generation]')?.dataset.generation ?? null;
/** A dialog stands above the page, or the skeleton of the next one in its place. */
const isCovered = () => document.querySelector('[data-panel], [data-page-skeleton]') !== null;

/** Focuses a row's link; its stretch of the list is drawn as it comes near. */
export function focusRow(id: string, tries = 20): void {
  const row = place(id);
  const link = row?.querySelector<HTMLElement>('[data-row-link]');
  if (link && !isCovered()) {
    link.focus();
    row?.scrollIntoView({ block: 'nearest' });
  } else if (tries > 0) requestAnimationFrame(() => focusRow(id, isCovered() ? tries : tries - 1));
}

/** The first row that one sees. */
const firstInSight = (ids: readonly string[]) =>
  ids.find((id) => (place(id)?.getBoundingClientRect().bottom ?? 0) > 80);

/**
 * The journal by keys: J and K walk over its rows; on the row that has the focus, A approves, R asks why and rejects, X chooses, V shows it
 * on the whole screen; U takes the last decision back. Silent while one types, a dialog is open or the next page is late. A row that leaves the list gives its focus to the one that takes its place.
 */
export function useRowKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  /** The row that was reached by keys last, and its place. */
  const last = useRef<{ id: string; at: number } | null>(null);

  useEffect(() => {
    const reach = (id: string | undefined) => {
      if (id === undefined) return;
      last.current = { id, at: latest.current.ids.indexOf(id) };
      focusRow(id);
    };
    const move = (step: 1 | -1) => {
      const { ids, ended } = latest.current;
      const from = focused() ?? last.current?.id ?? null;
      const at = from === null ? -1 : ids.indexOf(from);
      if (at < 0) return reach(firstInSight(ids) ?? ids[0]);
      const next = ids[at + step];
      if (next === undefined) ended(step > 0);
      reach(next ?? ids[at]);
    };
    const down = (event: KeyboardEvent) => {
      if (event.metaKey || event.ctrlKey || event.altKey || event.defaultPrevented || event.repeat) return;
      if (isTyping(event.target) || isCovered()) return;
      const { choose, show, decide } = latest.current;
      const on = (verb: Verb | undefined) => {
        const id = focused();
        if (!verb || id === null) return undefined;
        return () => {
          last.current = { id, at: latest.current.ids.indexOf(id) };
          verb(id);
        };
      };
      const verbs: Record<string, (() => void) | undefined> = {
        j: () => move(1),
        k: () => move(-1),
        a: on(decide?.approve),
        r: on(decide?.reject),
        x: on(choose),
        v: on(show),
        u: decide?.undo,
      };
      const verb = verbs[event.key.toLowerCase()];
      if (!verb) return;
      event.preventDefault();
      verb();
    };
    document.addEventListener('keydown', down);
    return () => document.removeEventListener('keydown', down);
  }, []);

  const { ids } = keys;
  useEffect(() => {
    const gone = last.current;
    if (!gone || ids.includes(gone.id)) return;
    const next = ids[Math.min(gone.at, ids.length - 1)];
    last.current = next === undefined ? null : { id: next, at: ids.indexOf(next) };
    const isLost = document.activeElement === null || document.activeElement === document.body;
    // The last one leaves it to the page.
    if (next === undefined && isLost) document.querySelector('main')?.focus();
    if (next !== undefined && (isLost || isCovered())) focusRow(next);
  }, [ids]);
}
