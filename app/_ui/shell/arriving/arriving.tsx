'use client';
import { usePathname } from 'next/navigation';
import { type ComponentType, type ReactNode, useEffect, useOptimistic, useState } from 'react';
import { leaving } from './leaving.ts';

type Skeleton = ComponentType<{ path: string }>;
type Load = () => Promise<{ default: Skeleton }>;

const loadSkeleton: Load = () => import('./page-skeleton.tsx');

/** A page that arrives sooner replaces the former one directly: a skeleton would only flicker. */
const SKELETON_AFTER_MS = 150;

/**
 * The current page, until the next one is there; if the next page is late, its skeleton. Not the fallback of a Suspense boundary: React would hold
 * the page back until 300 ms after it, however soon the page came (docs/decisions/0038-pages-on-their-way.md).
 */
export function Arriving({ children, load = loadSkeleton }: { children: ReactNode; load?: Load }) {
  // Lasts as long as the router's transition: whatever ends it (a page, an error, a redirection) resets this.
  const [to, leave] = useOptimistic<string | null>(null);
  const [Late, setLate] = useState<Skeleton | null>(null);
  const at = usePathname();
  useEffect(() => {
    // Going back to the current page while another one loads shows the current page again.
    leaving.tell = (path) => leave(path === at ? null : path);
    return () => {
      leaving.tell = null;
    };
  }, [at, leave]);
  const isLeaving = to !== null;
  useEffect(() => {
    if (!isLeaving) return;
    let isOver = false;
    // If its script cannot be loaded, the current page stays: a skeleton justifies neither an error nor an empty page.
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
    // Kept as long as the router waits: after one document, another one may be called off too.
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
