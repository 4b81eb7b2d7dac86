'use client';
import { usePathname, useRouter, useSearchParams } from 'next/navigation';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

export type PanelView = 'texte' | 'historique' | 'place';

/** A Memory's panel (none: `id` is null) and its tab, as the address names them. */
export type Opened = { id: string | null; view: string };

const same = (a: Opened, b: Opened) => a.id === b.id && (a.id === null || a.view === b.view);

const openedIn = (query: Pick<URLSearchParams, 'get'>): Opened => ({
  id: query.get('memoire'),
  view: query.get('vue') ?? 'texte',
});

const inAddress = () => openedIn(new URLSearchParams(window.location.search));

/** What else an address asks. */
function others(search: string | URLSearchParams): URLSearchParams {
  const query = new URLSearchParams(search);
  query.delete('memoire');
  query.delete('vue');
  return query;
}

/** An entry of the browser's history: another one once a link was followed, the same when the page was only read again. */
const entryNow = () => window.navigation?.currentEntry?.key ?? window.history.length;

/** Names it in the address, without the router, which leaves alone what carries its own state. */
function write({ id, view }: Opened, how: 'pushState' | 'replaceState'): void {
  const query = others(window.location.search);
  if (id) query.set('memoire', id);
  if (id && view !== 'texte') query.set('vue', view);
  const text = query.toString();
  window.history[how](window.history.state, '', `${window.location.pathname}${text && `?${text}`}`);
}

/**
 * The Memory whose panel is open, kept in the address, and shown as soon as it is pressed. The router is not told: it goes on reading the
 * page at the address that it drew (`drawn`). One that it was told of, and did not draw, it takes for another page: it reads twice, and
 * loads the document anew when two readings cross, or when one goes to another Memory meanwhile.
 */
export function useCurrent(drawn: Opened) {
  // Of this Space: while it is being left, the router already names the page that comes.
  const [path] = useState(usePathname());
  const router = useRouter();
  const search = useSearchParams();
  const [opened, setOpened] = useState(() => openedIn(search));
  const entry = useRef<string | number>(undefined);
  const go = useCallback(
    (id: string | null, view: PanelView = 'texte') => {
      const next = { id, view };
      setOpened(next);
      // An answer may come once the Space is left; two presses are one step.
      if (window.location.pathname !== path || same(inAddress(), next)) return;
      write(next, 'pushState');
      entry.current = entryNow();
    },
    [path],
  );
  // With each drawing: a page that is read again writes the address that the router knows, a link that was followed its own.
  useLayoutEffect(() => {
    if (window.location.pathname !== path) return;
    const isSameEntry = entry.current === entryNow();
    entry.current = entryNow();
    const here = inAddress();
    if (same(here, opened)) return;
    if (isSameEntry) write(opened, 'replaceState');
    else setOpened(here);
  });
  // Back and forward from one Memory to another are not the router's either: it is asked after this.
  useEffect(() => {
    const onPop = (event: PopStateEvent) => {
      const { pathname, search: query } = window.location;
      if (pathname !== path || `${others(query)}` !== `${others(search)}`) return;
      event.stopImmediatePropagation();
      entry.current = entryNow();
      setOpened(inAddress());
    };
    window.addEventListener('popstate', onPop, true);
    return () => window.removeEventListener('popstate', onPop, true);
  }, [path, search]);
  /** Has the server draw the page at its own address: without network the page would be lost. */
  const reload = useCallback(() => {
    if (navigator.onLine) router.replace(window.location.href, { scroll: false });
  }, [router]);
  // « Back » from another page gives the router an address of ours, with a page that was drawn for another one.
  const isDrawn = same(drawn, openedIn(search));
  useEffect(() => {
    if (!isDrawn) reload();
  }, [isDrawn, reload]);
  return { currentId: opened.id, view: opened.view, go, reload };
}
