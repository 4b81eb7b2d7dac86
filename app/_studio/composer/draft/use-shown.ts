'use client';
import { useSearchParams } from 'next/navigation';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

const NAME = 'resultat';
const inAddress = () => new URLSearchParams(window.location.search).get(NAME);

/**
 * Names this result in the address, without the router: an address that it is told of while it refreshes the page may never be drawn, and
 * takes back a link that was just pressed. It leaves alone what carries its own state.
 */
function writeAddress(id: string | null): void {
  const query = new URLSearchParams(window.location.search);
  if (id) query.set(NAME, id);
  else query.delete(NAME);
  window.history.replaceState(window.history.state, '', `${window.location.pathname}?${query}`);
}

/** The result that is looked at: shown as soon as it is pressed, and kept in the address. A link or « back » that names another is followed. */
export function useShown(path: string) {
  const named = useSearchParams().get(NAME);
  const [shown, setShown] = useState(named);
  const drawn = useRef(named);
  useEffect(() => {
    if (drawn.current === named) return;
    drawn.current = named;
    if (window.location.pathname === path && named === inAddress()) setShown(named);
  }, [named, path]);
  useEffect(() => {
    const onPop = () => {
      if (window.location.pathname === path) setShown(inAddress());
    };
    window.addEventListener('popstate', onPop);
    return () => window.removeEventListener('popstate', onPop);
  }, [path]);
  // With each drawing: a refresh of the page writes the address that the router knows.
  useLayoutEffect(() => {
    if (window.location.pathname === path && inAddress() !== shown) writeAddress(shown);
  });
  const show = useCallback((id: string | null) => setShown(id), []);
  return { shown, show };
}
