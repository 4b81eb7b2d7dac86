'use client';
import { usePathname, useRouter } from 'next/navigation';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { beforeRouter } from './before-router.ts';
import { entryNow } from './history-entry.ts';

type How = 'pushState' | 'replaceState';

/** Writes this query in the address without the router, which leaves alone what carries its own state. */
export function writeQuery(query: URLSearchParams, how: How = 'replaceState'): void {
  const text = query.toString();
  try {
    window.history[how](window.history.state, '', `${window.location.pathname}${text && `?${text}`}`);
  } catch {
    // Firefox and Safari throw past a hundred writes in some seconds (a key held down): the next drawing writes it.
  }
}

type OwnAddress = {
  /** Whether the server drew the page for the address that the router knows. */
  isDrawn: boolean;
  /** Whether the address that « back » or « forward » just brought is one that the page writes by itself. */
  isOwn: () => boolean;
  /** After each drawing. `isOther`: another address came, to be followed; else the page's own is to be in its place. */
  settle: (isOther: boolean) => void;
};

/**
 * What a page shows by itself, kept in its address beside the router, which goes on reading the page at the address that it drew. One that
 * it was told of, and did not draw, it takes for another page: it reads twice, and loads the document anew when two readings cross, or
 * when one goes elsewhere in the page meanwhile. No action of such a page may revalidate: Next would push the address that it knows.
 */
export function useOwnAddress({ isDrawn, isOwn, settle }: OwnAddress) {
  // Of this page: while it is being left, the router already names the one that comes.
  const [path] = useState(usePathname());
  const router = useRouter();
  const entry = useRef<string | number>(undefined);
  // With each drawing: a page that is read again writes the address that the router knows, a link that was followed its own. Back and
  // forward from one address of the page to another are not the router's either: it is asked after this.
  useLayoutEffect(() => {
    const isHere = () => window.location.pathname === path;
    if (isHere()) {
      // A reading may make an entry too, which an earlier link to the very address at hand did not.
      const isOther = entry.current !== entryNow() && (!entry.current || beforeRouter.isLed);
      if (isOther) beforeRouter.isLed = false;
      entry.current = entryNow();
      settle(isOther);
    }
    beforeRouter.onPop = (event) => {
      if (!isHere() || !isOwn()) return;
      event.stopImmediatePropagation();
      entry.current = entryNow();
      settle(true);
    };
    return () => {
      beforeRouter.onPop = null;
    };
  });
  /** Makes it a step that « back » undoes; `how` may have it take the place of the last one. */
  const push = useCallback(
    (query: URLSearchParams, how: How = 'pushState') => {
      // An answer may come once the page is left.
      if (window.location.pathname !== path) return;
      writeQuery(query, how);
      entry.current = entryNow();
    },
    [path],
  );
  /** Has the server draw the page at its own address: without network the page would be lost. */
  const reload = useCallback(() => {
    if (navigator.onLine) router.replace(window.location.href, { scroll: false });
  }, [router]);
  // « Back » from another page gives the router an address of ours, with a page that was drawn for another one.
  useEffect(() => {
    if (!isDrawn) reload();
  }, [isDrawn, reload]);
  return { push, reload };
}
