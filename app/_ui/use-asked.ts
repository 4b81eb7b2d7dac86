'use client';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useState } from 'react';

/** Whether a dialog is open, and a function that opens or closes it. */
export type Control = [open: boolean, change: (open: boolean) => void];

/**
 * The control of a dialog that a parameter of the address also opens (`name`; null for none). Closing the dialog removes the parameter; without
 * network the address stays as it is, because leaving it would lose the page.
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
