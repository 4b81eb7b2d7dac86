'use client';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useState } from 'react';

/** Whether a dialog is open, and what opens or closes it. */
export type Control = [open: boolean, change: (open: boolean) => void];

/**
 * The control of a dialog that an address opens too, by a parameter of this name (none: `null`); closed, the address is plain again. Without
 * network it stays as it is: the page would be lost.
 */
export function useAsked(name: string | null): Control {
  const router = useRouter();
  const path = usePathname();
  const query = useSearchParams();
  const asked = name !== null && query.has(name);
  const [open, setOpen] = useState(asked);
  const [wasAsked, setWasAsked] = useState(asked);
  if (asked !== wasAsked) {
    setWasAsked(asked);
    setOpen(asked);
  }
  const change = (next: boolean) => {
    setOpen(next);
    if (!next && asked && navigator.onLine) router.replace(path, { scroll: false });
  };
  return [open, change];
}
