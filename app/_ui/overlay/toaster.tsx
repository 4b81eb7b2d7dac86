'use client';
import { lazy, Suspense, useEffect, useState } from 'react';

const Toasts = lazy(() => import('./toasts.tsx'));

/** Place of the toasts, once in the root layout. Loads nothing until the first one. */
export function Toaster() {
  const [wanted, setWanted] = useState(false);
  useEffect(() => {
    const want = () => setWanted(true);
    window.addEventListener('atelier:toast', want);
    return () => window.removeEventListener('atelier:toast', want);
  }, []);
  return wanted ? (
    <Suspense>
      <Toasts />
    </Suspense>
  ) : null;
}
