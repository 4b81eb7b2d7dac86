'use client';
import { ChevronDown, ChevronUp } from 'lucide';
import { useLayoutEffect, useRef } from 'react';
import { IconButton } from '#app/_ui/action/icon-button.tsx';

type NeighboursProps = {
  before: string | null;
  after: string | null;
  /** `isHeld`: the key that led to this Memory is still held down. */
  go: (id: string, isHeld?: boolean) => void;
};

/** Opens the Memory before or after the open one, in board order: two buttons, and the keys J and K (with Alt inside a form field). */
export default function Neighbours({ before, after, go }: NeighboursProps) {
  const isHeld = useRef(false);
  // A layout effect: a key pressed on a Memory that has just appeared would still lead to the neighbours of the former one.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!event.repeat) isHeld.current = false;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
      // By key position: with Alt, a Mac types another character.
      const to = event.code === 'KeyJ' ? after : event.code === 'KeyK' ? before : null;
      if (to === null || (!event.altKey && isText(event.target))) return;
      // Ignored while another dialog is open above the panel, or while the next page is loading and this one is hidden.
      if (document.querySelectorAll('[data-panel], [data-page-skeleton]').length > 1) return;
      event.preventDefault();
      go(to, isHeld.current);
      isHeld.current = true;
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [before, after, go]);
  return (
    <span className="flex shrink-0">
      <IconButton
        icon={ChevronUp}
        label="Mémoire précédente"
        keys="K"
        disabled={before === null}
        aria-keyshortcuts="K Alt+K"
        onClick={() => before && go(before)}
      />
      <IconButton
        icon={ChevronDown}
        label="Mémoire suivante"
        keys="J"
        disabled={after === null}
        aria-keyshortcuts="J Alt+J"
        onClick={() => after && go(after)}
      />
    </span>
  );
}

const isText = (target: EventTarget | null) =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
