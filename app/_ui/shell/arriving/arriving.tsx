'use client';
import { usePathname } from 'next/navigation';
import { type ComponentType, type ReactNode, useEffect, useOptimistic, useState } from 'react';
import { leaving } from './leaving.ts';

type Skeleton = ComponentType<{ path: string }>;
type Load = () => Promise<{ default: Skeleton }>;

const loadSkeleton: Load = () => import('./page-skeleton.tsx');

/** What arrives sooner takes the place of the page before it: a skeleton would only flicker. */
const SKELETON_AFTER_MS = 150;

/**
 * The page at hand, until the next one is there; one that is late leaves its place to the skeleton of the next. It is not the fallback of a
 * boundary: React would hold the page back until 300 ms after it, however soon it came (docs/decisions/0038-pages-on-their-way.md).
 */
export function Arriving({ children, load = loadSkeleton }: { children: ReactNode; load?: Load }) {
  // As long as the router's transition: what ends it (a page, an error, a redirection) ends this.
  const [to, leave] = useOptimistic<string | null>(null);
  const [Late, setLate] = useState<Skeleton | null>(null);
  const at = usePathname();
  useEffect(() => {
    // Who turns back while another page is on its way sees the one at hand again.
    leaving.tell = (path) => leave(path === at ? null : path);
    return () => {
      leaving.tell = null;
    };
  }, [at, leave]);
  const isLeaving = to !== null;
  useEffect(() => {
    if (!isLeaving) return;
    let isOver = false;
    // Without its script the page at hand stays: no skeleton is worth an error, nor an empty place.
    const coming = load().then(
      (module) => module.default,
      () => null,
    );
    const timer = setTimeout(() => {
      coming.then((skeleton) => isOver || setLate(() => skeleton));
    }, SKELETON_AFTER_MS);
    const stay = () => {
      isOver = true;
      clearTimeout(timer);
      setLate(null);
    };
    // As long as the router waits: another document may be called off after the first.
    leaving.stay = stay;
    return () => {
      stay();
      leaving.stay = null;
    };
  }, [isLeaving, load]);
  const isShown = Late === null || to === null;
  return (
    <>
      <div className={isShown ? 'contents' : 'hidden'}>{children}</div>
      {isShown ? null : <Late path={to} />}
    </>
  );
}
