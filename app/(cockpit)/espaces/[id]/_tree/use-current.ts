'use client';
import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback, useEffect, useState } from 'react';

export type PanelView = 'texte' | 'historique' | 'place';

/** A Memory's panel (none: `id` is null) and its tab, as the address names them. */
type Opened = { id: string | null; view: string };

const same = (a: Opened, b: Opened) => a.id === b.id && (a.id === null || a.view === b.view);

const openedIn = (query: { get(name: string): string | null }): Opened => ({
  id: query.get('memoire'),
  view: query.get('vue') ?? 'texte',
});

/**
 * The Memory whose panel is open, kept in the address, and shown as soon as it is pressed. While the page is being read again
 * (`pending`) the router holds back a new address, and may put back the one that it started from: what was pressed stays.
 */
export function useCurrent(pending: boolean) {
  const path = usePathname();
  const address = openedIn(useSearchParams());
  // What was pressed, and every address that it took the place of, until the router's own address says the same.
  const [pressed, setPressed] = useState<{ opened: Opened; left: Opened[] } | null>(null);
  const write = useCallback(
    ({ id, view }: Opened, how: 'pushState' | 'replaceState') => {
      const query = new URLSearchParams(window.location.search);
      query.delete('memoire');
      query.delete('vue');
      if (id) query.set('memoire', id);
      if (id && view !== 'texte') query.set('vue', view);
      const text = query.toString();
      window.history[how](null, '', text ? `${path}?${text}` : path);
    },
    [path],
  );
  const go = useCallback(
    (id: string | null, view: PanelView = 'texte') => {
      const opened = { id, view };
      const before = openedIn(new URLSearchParams(window.location.search));
      setPressed((earlier) => ({ opened, left: [...(earlier?.left ?? []), before] }));
      write(opened, 'pushState');
    },
    [write],
  );
  // Back and forward choose an address themselves.
  useEffect(() => {
    const onPop = () => setPressed(null);
    window.addEventListener('popstate', onPop);
    return () => window.removeEventListener('popstate', onPop);
  }, []);
  useEffect(() => {
    if (pending || pressed === null) return;
    const written = openedIn(new URLSearchParams(window.location.search));
    if (same(written, pressed.opened)) {
      if (same(address, written)) setPressed(null);
    } else if (pressed.left.some((one) => same(one, written))) write(pressed.opened, 'replaceState');
    else setPressed(null);
  }, [pending, pressed, address, write]);
  const current = pressed?.opened ?? address;
  return { currentId: current.id, view: current.view, go };
}
