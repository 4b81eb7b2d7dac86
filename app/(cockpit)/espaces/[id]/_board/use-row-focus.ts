import { type Dispatch, type SetStateAction, useEffect, useRef } from 'react';
import { isTyping } from '#app/_ui/typing.ts';
import type { RowIndex } from '../_tree/tree.ts';

/**
 * Focuses the requested row once it is drawn. If the focus has moved to a field or a dialog meanwhile, it stays there: letters typed on a row are
 * shortcuts, which move and delete it.
 */
export function useRowFocus(
  focusId: string | null,
  setFocusId: Dispatch<SetStateAction<string | null>>,
  index: RowIndex,
): void {
  const late = useRef<string>(null);
  useEffect(() => {
    if (!focusId) return;
    if (!index.has(focusId)) {
      late.current = focusId;
      return;
    }
    if (late.current !== focusId || !isBusy()) keepFocusOn(`[data-row="${focusId}"]`);
    late.current = null;
    // A newer request is kept.
    setFocusId((now) => (now === focusId ? null : now));
  }, [focusId, setFocusId, index]);
}

const isBusy = () =>
  isTyping(document.activeElement) || document.querySelector('[data-panel]:not([data-beside])') !== null;

/** Focuses an element, and once more after the closing panel or dialog has let the focus go. Does nothing if the element is gone. */
export function keepFocusOn(selector: string): void {
  const focus = () => document.querySelector<HTMLElement>(selector)?.focus();
  focus();
  setTimeout(() => {
    if (document.activeElement === document.body) focus();
  }, 400);
}
