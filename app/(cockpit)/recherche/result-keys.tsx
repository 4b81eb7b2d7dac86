'use client';
import { useEffect } from 'react';
import { isComposing } from '#app/_ui/text/composing.ts';

/** The up and down arrow keys move the focus from the search field through the results, and back. Renders nothing. */
export function ResultKeys(): null {
  useEffect(() => {
    const down = (event: KeyboardEvent) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      if (event.metaKey || event.ctrlKey || event.altKey || event.shiftKey || isComposing(event)) return;
      const field = document.querySelector<HTMLElement>('[data-search]');
      const hits = [...document.querySelectorAll<HTMLElement>('[data-hit]')];
      const at = hits.indexOf(document.activeElement as HTMLElement);
      if (at < 0 && document.activeElement !== field) return;
      const next = at + (event.key === 'ArrowDown' ? 1 : -1);
      if (next < -1) return;
      event.preventDefault();
      (next === -1 ? field : hits[Math.min(next, hits.length - 1)])?.focus();
    };
    document.addEventListener('keydown', down);
    return () => document.removeEventListener('keydown', down);
  }, []);
  return null;
}
