'use client';
import { usePathname, useSearchParams } from 'next/navigation';
import { useLayoutEffect, useState } from 'react';
import type { Control } from '../use-asked.ts';

/** Whether something is open, and a function that opens or closes it. A new page closes it. */
export function useOpenHere(): Control {
  const path = usePathname();
  // « À vérifier » is the journal with a filter: the path alone does not tell the two pages apart.
  const search = useSearchParams();
  const [open, setOpen] = useState(false);
  // A layout effect: a later effect could undo a press on the page that has just appeared.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new page closes it
  useLayoutEffect(() => setOpen(false), [path, search]);
  return [open, setOpen];
}
