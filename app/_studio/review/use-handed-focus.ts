'use client';
import { useEffect, useRef } from 'react';

/**
 * Focuses the result of `find` once nothing has the focus and no dialog is open: a button that disappears with its decision would leave the focus to
 * the page.
 */
export function focusWhenLost(find: () => HTMLElement | null | undefined, tries = 20): void {
  const isOpen = document.querySelector('[data-panel]') !== null;
  const isLost = document.activeElement === null || document.activeElement === document.body;
  if (isLost && !isOpen) find()?.focus({ preventScroll: true });
  else if (tries > 0) requestAnimationFrame(() => focusWhenLost(find, isOpen ? tries : tries - 1));
}

/** When the bar of chosen generations disappears, the focus moves to the generation after the first chosen one, or before it. */
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

/** After a decision whose button disappears, the focus moves to `place`. `offered`: the decisions that are still possible. */
export function useFocusAfterDecision(place: string, offered: string) {
  const isJudged = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the buttons depend on what is offered
  useEffect(() => {
    if (isJudged.current) focusWhenLost(() => document.querySelector<HTMLElement>(place));
  }, [offered, place]);
  return <T>(decide: () => T): T => {
    isJudged.current = true;
    return decide();
  };
}
