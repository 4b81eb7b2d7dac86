'use client';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { leaveFocus } from './focus-beside.ts';

type Props = { className?: string; children: ReactNode };

/** A line of a list. When it goes, the focus that was in it goes to the line beside it, or to the page when it was the last. */
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
