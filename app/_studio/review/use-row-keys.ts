'use client';
import { useEffect, useRef } from 'react';
import { isTyping } from '#app/_ui/typing.ts';

type Verb = (generationId: string) => void;
type Keys = {
  /** The identifiers of the listed generations, in their order. */
  ids: readonly string[];
  choose: Verb;
  /** Opens the generation in the lightbox. */
  show: Verb;
  /** Absent if the member may not decide. */
  decide?: { approve: Verb; reject: Verb; undo: () => void };
  /** Called at the end of the list (`last`), or at its start. */
  ended: (last: boolean) => void;
};

const place = (id: string) => document.querySelector<HTMLElement>(`[data-generation="${CSS.escape(id)}"]`);
/** The generation that has the focus; null if none has. */
const focused = () =>
  document.activeElement?.closest<HTMLElement>('[data-generation]')?.dataset.generation ?? null;
/** Whether a dialog or the skeleton of the next page covers the list. */
const isCovered = () => document.querySelector('[data-panel], [data-page-skeleton]') !== null;

/** Focuses a generation's link, and waits for its chunk to be drawn and for dialogs to close. */
export function focusRow(id: string, tries = 20): void {
  const row = place(id);
  const link = row?.querySelector<HTMLElement>('[data-row-link]');
  if (link && !isCovered()) {
    link.focus();
    row?.scrollIntoView({ block: 'nearest' });
  } else if (tries > 0) requestAnimationFrame(() => focusRow(id, isCovered() ? tries : tries - 1));
}

/** The first generation that is visible. */
const firstInSight = (ids: readonly string[]) =>
  ids.find((id) => (place(id)?.getBoundingClientRect().bottom ?? 0) > 80);

/**
 * Keyboard shortcuts of the journal: J and K move between generations; on the focused one, A approves, R rejects with a reason, X chooses and V opens
 * the lightbox; U undoes the last decision. Inactive while typing, under a dialog or while the next page loads. The focus of a generation that leaves
 * the list moves to the next one.
 */
export function useRowKeys(keys: Keys): void {
  const latest = useRef(keys);
  latest.current = keys;
  /** The generation that the keys reached last, and its index. */
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
    // After the last generation, the page gets the focus.
    if (next === undefined && isLost) document.querySelector('main')?.focus();
    if (next !== undefined && (isLost || isCovered())) focusRow(next);
  }, [ids]);
}
