'use client';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { leaveFocus } from './focus-beside.ts';

type Props = { className?: string; children: ReactNode };

/** A line of a list. When it disappears with the focus, the focus moves to a neighbouring line, or to the page after the last one. */
export function LeavingLine({ className, children }: Props) {
  const line = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    const here = line.current;
    return () => {
      if (here) leaveFocus(here);
    };
  }, []);
  return (
    <li ref={line} className={className}>
      {children}
    </li>
  );
}
