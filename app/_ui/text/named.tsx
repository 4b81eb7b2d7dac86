import type { ReactNode } from 'react';

/** The label of a button and, for assistive technology only, what it is about: tells repeated buttons apart by name. */
export function Named({ children, about }: { children: ReactNode; about: string }) {
  return (
    <>
      {children}
      <span className="sr-only"> {about}</span>
    </>
  );
}
