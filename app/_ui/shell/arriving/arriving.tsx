'use client';
import { usePathname } from 'next/navigation';
import { type ReactNode, useEffect, useOptimistic, useState } from 'react';
import { lazyPart, preload } from '../../lazy-part.ts';
import { leaving } from './leaving.ts';

const load = () => import('./page-skeleton.tsx');
const PageSkeleton = lazyPart(load);

/** What arrives sooner takes the place of the page before it: a skeleton would only flicker. */
const SKELETON_AFTER_MS = 150;

/**
 * The page at hand, until the next one is there; one that is late leaves its place to the skeleton of the next. It is not the fallback of a
 * boundary: React would hold the page back until 300 ms after it, however soon it came (docs/decisions/0038-pages-on-their-way.md).
 */
export function Arriving({ children }: { children: ReactNode }) {
  // As long as the router's transition: what ends it (a page, an error, a redirection, another departure) ends this.
  const [to, leave] = useOptimistic<string | null>(null);
  const [isLate, setLate] = useState(false);
  const at = usePathname();
  useEffect(() => {
    leaving.tell = (path) => {
      if (path !== at) leave(path);
    };
    return () => {
      leaving.tell = null;
    };
  }, [at, leave]);
  useEffect(() => {
    if (to === null) return;
    preload(load);
    const timer = setTimeout(() => setLate(true), SKELETON_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [to]);
  const shown = isLate ? to : null;
  return (
    <>
      <div className={shown === null ? 'contents' : 'hidden'}>{children}</div>
      {shown === null ? null : <PageSkeleton path={shown} />}
    </>
  );
}
