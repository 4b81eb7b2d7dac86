'use client';
import { usePathname, useRouter } from 'next/navigation';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { beforeRouter } from './before-router.ts';
import { entryNow } from './history-entry.ts';

type How = 'pushState' | 'replaceState';

/** Writes the query in the address without the router, which ignores an entry that has the router's own state. */
export function writeQuery(query: URLSearchParams, how: How = 'replaceState'): void {
  const text = query.toString();
  try {
    window.history[how](window.history.state, '', `${window.location.pathname}${text && `?${text}`}`);
  } catch {
    // Firefox and Safari throw after a hundred writes in some seconds (a key held down): the next render writes it.
  }
}

type OwnAddress = {
  /** Whether the server rendered the page for the address that the router knows. */
  isDrawn: boolean;
  /** Whether the address after « back » or « forward » is one that the page writes itself. */
  isOwn: () => boolean;
  /** Called after each render. `isOther`: the address changed, and the page must follow it. Otherwise the page must write its own address. */
  settle: (isOther: boolean) => void;
};

/**
 * Keeps the state of a page in its address without the router, which goes on reading the page at the address that it rendered. A router that knew the
 * new address would take it for another page: it would read it twice, and load the document again when readings cross. No action of such a page may
 * revalidate: Next would write the address that it knows.
 */
export function useOwnAddress({ isDrawn, isOwn, settle }: OwnAddress) {
  // The path of this page: while the page is being left, the router already has the path of the next one.
  const [path] = useState(usePathname());
  const router = useRouter();
  const entry = useRef<string | number>(undefined);
  // After each render: a page that is read again writes the address that the router knows, and a followed link its own. «
  // Back » and « forward » between addresses of the page are handled here, before the router.
  useLayoutEffect(() => {
    const isHere = () => window.location.pathname === path;
    if (isHere()) {
      // Reading the page may add a history entry too, which an earlier link to the current address did not add.
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
  /** Adds the query to the history, so that « back » undoes it; `how` may replace the current entry instead. */
  const push = useCallback(
    (query: URLSearchParams, how: How = 'pushState') => {
      // An answer may arrive after the page was left.
      if (window.location.pathname !== path) return;
      writeQuery(query, how);
      entry.current = entryNow();
    },
    [path],
  );
  /** Has the server render the page at its own address. Not without network, which would lose the page. */
  const reload = useCallback(() => {
    if (navigator.onLine) router.replace(window.location.href, { scroll: false });
  }, [router]);
  // « Back » from another page gives the router an address of this page with content rendered for another address.
  useEffect(() => {
    if (!isDrawn) reload();
  }, [isDrawn, reload]);
  return { push, reload };
}
