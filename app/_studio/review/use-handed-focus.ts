'use client';
import { useEffect, useRef } from 'react';

/** Focuses what `find` gives once the focus is nowhere and no dialog is open: a button that goes with its decision would leave it to the page. */
export function focusWhenLost(find: () => HTMLElement | null | undefined, tries = 20): void {
  const isOpen = document.querySelector('[data-panel]') !== null;
  const isLost = document.activeElement === null || document.activeElement === document.body;
  if (isLost && !isOpen) find()?.focus({ preventScroll: true });
  else if (tries > 0) requestAnimationFrame(() => focusWhenLost(find, isOpen ? tries : tries - 1));
}

/** When the bar of chosen rows goes, its focus goes to the row after the first of them, or to the one before. */
export function useFocusAfterChoice(selected: readonly string[], ids: readonly string[]): void {
  const latest = useRef({ selected, ids });
  latest.current = { selected, ids };
  useEffect(
    () => () => {
      const { selected: chosen, ids: rows } = latest.current;
      const at = rows.findIndex((id) => chosen.includes(id));
      const isLeft = (id: string) => !chosen.includes(id);
      const next =
        rows.slice(at).find(isLeft) ?? rows.slice(0, Math.max(0, at)).findLast(isLeft) ?? chosen[0];
      if (next !== undefined)
        focusWhenLost(() =>
          document.querySelector<HTMLElement>(`[data-generation="${CSS.escape(next)}"] [data-row-link]`),
        );
    },
    [],
  );
}

/** After a decision, the focus of a button that is gone goes to `place`. `offered`: what can be decided still. */
export function useFocusAfterDecision(place: string, offered: string) {
  const isJudged = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the buttons follow what is offered
  useEffect(() => {
    if (isJudged.current) focusWhenLost(() => document.querySelector<HTMLElement>(place));
  }, [offered, place]);
  return <T>(decide: () => T): T => {
    isJudged.current = true;
    return decide();
  };
}
