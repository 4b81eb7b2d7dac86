'use client';
import { type ComponentType, useEffect, useState } from 'react';
import { missing, preload } from '../lazy-part.ts';
import { isToastWaiting } from '../toast.ts';

// Loaded as the page hydrates: once a part fails to load, this one may not load either.
missing.load = () => import('../state/missing-part.tsx');

/** The code of toasts is loaded after this delay even without a gesture: after the next release it may not be served any more. */
const RESTED_MS = 3_000;

/**
 * The toasts, rendered once by the root layout. Their code is loaded at the first gesture, so that it is there when the network is lost. If it could
 * not be loaded, the waiting toasts are shown once the network is back.
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
    // A toast sent while the page hydrates comes before these listeners.
    if (isToastWaiting()) load();
    return still;
  }, []);
  return List ? <List /> : null;
}
