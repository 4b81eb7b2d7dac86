'use client';
import { useSearchParams } from 'next/navigation';
import { useCallback, useState } from 'react';
import { useOwnAddress, writeQuery } from '#app/_cockpit/address/use-own-address.ts';

export type PanelView = 'texte' | 'historique' | 'place';

/** The Memory whose panel is open (null: none) and its tab, as in the address. */
export type Opened = { id: string | null; view: string };

const same = (a: Opened, b: Opened) => a.id === b.id && (a.id === null || a.view === b.view);

const openedIn = (query: Pick<URLSearchParams, 'get'>): Opened => ({
  id: query.get('memoire'),
  view: query.get('vue') ?? 'texte',
});

const inAddress = () => openedIn(new URLSearchParams(window.location.search));

/** The other parameters of the address. */
function others(search: string | URLSearchParams): URLSearchParams {
  const query = new URLSearchParams(search);
  query.delete('memoire');
  query.delete('vue');
  return query;
}

/** The current query with this Memory and tab. */
function naming({ id, view }: Opened): URLSearchParams {
  const query = others(window.location.search);
  if (id) query.set('memoire', id);
  if (id && view !== 'texte') query.set('vue', view);
  return query;
}

/** The Memory whose panel is open, kept in the address. `go` opens another at once, without waiting for the server. */
export function useCurrent(drawn: Opened) {
  const search = useSearchParams();
  const [opened, setOpened] = useState(() => openedIn(search));
  const { push, reload } = useOwnAddress({
    isDrawn: same(drawn, openedIn(search)),
    isOwn: () => `${others(window.location.search)}` === `${others(search)}`,
    settle: (isOther) => {
      const here = inAddress();
      if (same(here, opened)) return;
      if (isOther) setOpened(here);
      else writeQuery(naming(opened));
    },
  });
  const go = useCallback(
    (id: string | null, view: PanelView = 'texte', isHeld = false) => {
      const next = { id, view };
      setOpened(next);
      // Pressing twice adds one history entry, and so does a key held down.
      if (!same(inAddress(), next)) push(naming(next), isHeld ? 'replaceState' : 'pushState');
    },
    [push],
  );
  return { currentId: opened.id, view: opened.view, go, reload };
}
