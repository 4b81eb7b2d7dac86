'use client';
import { type ComponentType, useEffect, useState } from 'react';
import { isToastWaiting } from '../toast.ts';

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
    // What a page says as it comes alive is said before the frame around it listens.
    if (isToastWaiting()) load();
    return still;
  }, []);
  return List ? <List /> : null;
}
