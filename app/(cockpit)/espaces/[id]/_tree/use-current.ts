'use client';
import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback, useEffect, useState } from 'react';

export type PanelView = 'texte' | 'historique' | 'place';

/**
 * The Memory whose panel is open, kept in the address. While the page is being drawn again (`pending`), the router may put back the
 * address that it started from: what was closed meanwhile stays closed, and leaves the address once that is over.
 */
export function useCurrent(pending: boolean) {
  const path = usePathname();
  const search = useSearchParams();
  const asked = search.get('memoire');
  const [closed, setClosed] = useState<string | null>(null);
  const write = useCallback(
    (id: string | null, view: PanelView = 'texte') => {
      const query = new URLSearchParams(window.location.search);
      query.delete('memoire');
      query.delete('vue');
      if (id) query.set('memoire', id);
      if (id && view !== 'texte') query.set('vue', view);
      const text = query.toString();
      window.history.pushState(null, '', text ? `${path}?${text}` : path);
    },
    [path],
  );
  const go = useCallback(
    (id: string | null, view?: PanelView) => {
      setClosed(id === null ? asked : null);
      write(id, view);
    },
    [asked, write],
  );
  useEffect(() => {
    if (pending || closed === null) return;
    if (asked === closed && new URLSearchParams(window.location.search).get('memoire') === closed)
      write(null);
    else if (asked !== closed) setClosed(null);
  }, [pending, closed, asked, write]);
  return { currentId: asked === closed ? null : asked, view: search.get('vue'), go };
}
