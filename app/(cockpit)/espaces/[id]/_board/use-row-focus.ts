import { type Dispatch, type SetStateAction, useEffect, useRef } from 'react';
import { isTyping } from '#app/_ui/typing.ts';
import type { RowIndex } from '../_tree/tree.ts';

/**
 * Focuses the row that is asked for, once it is drawn: one that changes pillar is another element. One that comes later than it was asked for
 * leaves the focus to who went on meanwhile, to a field or a dialog: what is typed there would be keys of the row, which move and delete it.
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
    // Not what a press asked for meanwhile.
    setFocusId((now) => (now === focusId ? null : now));
  }, [focusId, setFocusId, index]);
}

const isBusy = () =>
  isTyping(document.activeElement) || document.querySelector('[data-panel]:not([data-beside])') !== null;

/** A panel or a question that closes gives the focus back to where it came from, which may be gone by then: it is brought back once. */
export function keepFocusOn(selector: string): void {
  const focus = () => document.querySelector<HTMLElement>(selector)?.focus();
  focus();
  setTimeout(() => {
    if (document.activeElement === document.body) focus();
  }, 400);
}
