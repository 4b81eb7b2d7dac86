'use client';
import { type ComponentType, useEffect, useState } from 'react';
import { missing, preload } from '../lazy-part.ts';
import { isToastWaiting } from '../toast.ts';

// Fetched as the page comes alive: once a part is missing, nothing else may come either.
missing.load = () => import('../state/missing-part.tsx');

/** A page that is read in peace for so long gets the machinery without a gesture: after the next release, it could be fetched no more. */
const RESTED_MS = 3_000;

/**
 * Place of the toasts, once in the root layout. Its machinery comes with the first gesture, so that it is there to say that the
 * network was lost; when even that fails, what waits is said once the network is back.
 */
export function Toaster() {
  const [List, setList] = useState<ComponentType | null>(null);
  useEffect(() => {
    const events = ['atelier:toast', 'pointerdown', 'keydown', 'online'];
    const still = () => {
      for (const name of events) window.removeEventListener(name, load);
    };
    const load = () => {
      import('./toasts.tsx').then(
        ({ default: loaded }) => {
          still();
          setList(() => loaded);
        },
        () => {},
      );
    };
    for (const name of events) window.addEventListener(name, load, { passive: true });
    setTimeout(load, RESTED_MS);
    preload(missing.load);
    // What a page says as it comes alive is said before the frame around it listens.
    if (isToastWaiting()) load();
    return still;
  }, []);
  return List ? <List /> : null;
}
