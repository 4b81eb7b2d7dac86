'use client';
import { ChevronDown, ChevronUp } from 'lucide';
import { useEffect, useRef } from 'react';
import { IconButton } from '#app/_ui/action/icon-button.tsx';

type NeighboursProps = {
  before: string | null;
  after: string | null;
  /** `isHeld`: by a key that led here already and is still down. */
  go: (id: string, isHeld?: boolean) => void;
};

/** The Memories before and after the open one, in the order of the board: two buttons, and J and K (with Alt within a text). */
export default function Neighbours({ before, after, go }: NeighboursProps) {
  const isHeld = useRef(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!event.repeat) isHeld.current = false;
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
      // By the place of the key: with Alt, a Mac writes another letter.
      const to = event.code === 'KeyJ' ? after : event.code === 'KeyK' ? before : null;
      if (to === null || (!event.altKey && isText(event.target))) return;
      // Another dialog stands above the panel, or the next page is late and the panel is hidden with its own.
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
