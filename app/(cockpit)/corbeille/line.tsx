'use client';
import { type ReactNode, useLayoutEffect, useRef } from 'react';

/** A question that closes gives the focus back to a button that is gone by then: it is looked at once more. */
const CLOSED_MS = 400;

/** A line of the bin. When it goes, the focus that was in it goes to the line beside it, or to the page when it was the last. */
export function Line({ children }: { children: ReactNode }) {
  const line = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    const here = line.current;
    return () => {
      const wasIn = here?.contains(document.activeElement) || document.querySelector('[data-panel]') !== null;
      if (!here || !wasIn) return;
      const path = window.location.pathname;
      const beside = here.nextElementSibling ?? here.previousElementSibling;
      const page = here.closest('main');
      const focus = () => {
        if (document.activeElement !== document.body || window.location.pathname !== path) return;
        const button = beside?.isConnected ? beside.querySelector('button') : null;
        (button ?? page)?.focus();
      };
      requestAnimationFrame(focus);
      setTimeout(focus, CLOSED_MS);
    };
  }, []);
  return (
    <li ref={line} className="flex flex-wrap items-center gap-x-6 gap-y-2 px-2 py-3">
      {children}
    </li>
  );
}
