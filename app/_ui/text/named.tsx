import type { ReactNode } from 'react';

/** What a button says, and for assistive technology alone what of: buttons that repeat along a page are told apart by their names. */
export function Named({ children, about }: { children: ReactNode; about: string }) {
  return (
    <>
      {children}
      <span className="sr-only"> {about}</span>
    </>
  );
}
