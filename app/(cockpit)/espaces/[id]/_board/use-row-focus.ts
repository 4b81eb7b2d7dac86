import { type Dispatch, type SetStateAction, useEffect, useRef } from 'react';
import { isTyping } from '#app/_ui/typing.ts';
import type { RowIndex } from '../_tree/tree.ts';

/**
 * Focuses the requested row once it exists. If the row had to be awaited and the focus is now in a field or a dialog, it stays there: keys
 * pressed on a row are shortcuts, such as Backspace, which deletes it.
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

/**
 * Focuses an element. 400 ms later, when a closing panel or dialog is gone, focuses it again if nothing has the focus. Does nothing if the
 * element does not exist.
 */
export function keepFocusOn(selector: string): void {
  const focus = () => document.querySelector<HTMLElement>(selector)?.focus();
  focus();
  setTimeout(() => {
    if (document.activeElement === document.body) focus();
  }, 400);
}
