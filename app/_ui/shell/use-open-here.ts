'use client';
import { usePathname, useSearchParams } from 'next/navigation';
import { useLayoutEffect, useState } from 'react';
import type { Control } from '../use-asked.ts';

/** Whether something is open, and what opens or closes it: arriving on a page closes it, and a press that comes with the page opens it there. */
export function useOpenHere(): Control {
  const path = usePathname();
  // « À vérifier » is the journal with a filter: its path alone says nothing of having arrived.
  const search = useSearchParams();
  const [open, setOpen] = useState(false);
  // At once: as an effect that follows, it would come after a press on what the same drawing shows, and take it back.
  // biome-ignore lint/correctness/useExhaustiveDependencies: arriving on a page closes it
  useLayoutEffect(() => setOpen(false), [path, search]);
  return [open, setOpen];
}
