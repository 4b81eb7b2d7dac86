'use client';
import { usePathname, useSearchParams } from 'next/navigation';
import { useCallback, useEffect, useState } from 'react';
import { type ComposerKind, kindOf } from './draft.ts';
import { useShown } from './use-shown.ts';

/** The composer's address: its kind, and the result that is looked at. */
export function composerAddress(kind: ComposerKind, shown?: string | null): string {
  const query = new URLSearchParams({ type: kind, ...(shown ? { resultat: shown } : {}) });
  return `${window.location.pathname}?${query}`;
}

const addressKind = () => kindOf(new URLSearchParams(window.location.search).get('type'));

/** The kind that the address names, if it names one. */
export const useAskedKind = (): ComposerKind | undefined => kindOf(useSearchParams().get('type'));

/**
 * Keeps the kind in the address: chosen, it is a step that « back » undoes; an address that names none gets the one at hand. Gives what
 * chooses a kind, and what says in the address which result is looked at.
 */
export function useKind(
  { kind, ready }: { kind: ComposerKind; ready: boolean },
  follow: (kind: ComposerKind) => void,
) {
  const search = useSearchParams();
  // Of the composer: while it is being left, the router already names the page that comes.
  const [path] = useState(usePathname());
  const asked = kindOf(search.get('type'));
  const { shown, show } = useShown(path);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what the address says, when it says something else
  useEffect(() => {
    if (!ready || window.location.pathname !== path) return;
    if (asked === undefined)
      window.history.replaceState(null, '', composerAddress(kind, search.get('resultat')));
    // An address already left behind says nothing any more.
    else if (asked !== kind && asked === addressKind()) follow(asked);
  }, [asked, ready]);
  // « Back » pressed before the router had drawn what it leaves: the address it draws did not change, the kind did.
  useEffect(() => {
    const onPop = () => {
      const now = window.location.pathname === path ? addressKind() : undefined;
      if (now) follow(now);
    };
    window.addEventListener('popstate', onPop);
    return () => window.removeEventListener('popstate', onPop);
  }, [follow, path]);
  const choose = useCallback(
    (next: ComposerKind) => {
      follow(next);
      // The result that the router knows: what is looked at since is written with the next drawing (use-shown.ts).
      window.history.pushState(null, '', composerAddress(next, search.get('resultat')));
    },
    [follow, search],
  );
  return { choose, shown, show };
}
